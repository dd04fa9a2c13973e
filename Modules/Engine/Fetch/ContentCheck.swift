import Models

/// Checks content against the manifest's digest and against the URL's extension (RM5).
enum ContentCheck {
  /// Returns the reason why the file is not the content that the resource promised; nil if it is.
  /// - Parameter location: The location from which the file was fetched.
  static func failure(
    _ file: StoredFile, for resource: Resource, at location: ResourceLocation
  ) -> DownloadFailure? {
    if let expected = resource.expectedDigest, expected != file.digest {
      return .content("its SHA-256 is \(file.digest), the manifest specifies \(expected)")
    }
    if resource.expectedDigest == nil, let expected = resource.expectedByteCount,
      expected != file.byteCount
    {
      return .content("it has \(file.byteCount) bytes, the manifest specifies \(expected)")
    }
    // Some sites use wrong extensions for images, documents and archives; any format that can be shown is
    // accepted.
    guard file.format.kind == .other, case .http(let url) = location else { return nil }
    let wanted: String
    switch ResourceExpectation(url) {
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
