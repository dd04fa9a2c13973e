import Models

/// Checks content against the manifest's digest and against the URL's extension (RM5).
enum ContentCheck {
  static func failure(_ file: StoredFile, for resource: Resource) -> DownloadFailure? {
    if let expected = resource.expectedDigest, expected != file.digest {
      return .content("its SHA-256 is \(file.digest), the manifest says \(expected)")
    }
    // Some sites use wrong extensions for pictures, documents and archives; any format that can be shown is
    // accepted.
    guard file.format.kind == .other else { return nil }
    let promise: ResourceExpectation
    if resource.url.hasPrefix(LocalFile.scheme) {
      promise = .anything
    } else {
      promise = (try? HTTPURL(resource.url)).map { ResourceExpectation($0) } ?? .anything
    }
    let wanted: String
    switch promise {
    case .anything: return nil
    case .image: wanted = "an image"
    case .pdf: wanted = "a PDF"
    case .archive: wanted = "an archive"
    }
    if file.byteCount == 0 { return .content("the server sent an empty file") }
    if file.format == .html { return .content("the server sent a web page") }
    return .content("not \(wanted) (\(file.format.mediaType))")
  }
}
