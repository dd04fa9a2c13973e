import Models

/// Checks content against the manifest's checksum and against the URL's extension (RM5).
enum ContentCheck {
  /// Returns the reason why the file is not the content that the resource promised; nil if it is.
  /// - Parameter location: The location from which the file was fetched.
  static func failure(
    _ file: StoredFile, for resource: Resource, at location: ResourceLocation
  ) -> DownloadFailure? {
    if let expected = resource.expectedChecksum, expected.matches(file) != true {
      let found = file.checksum(expected.algorithm)?.digits ?? "not known"
      return .content(
        "its \(expected.algorithm.title) is \(found), the manifest specifies \(expected.digits)")
    }
    if resource.expectedChecksum == nil, let expected = resource.expectedByteCount,
      expected != file.byteCount
    {
      return .content("it has \(file.byteCount) bytes, the manifest specifies \(expected)")
    }
    // Some sites use wrong extensions for images, documents and archives; any format that can be shown is
    // accepted.
    guard file.format.kind == .other, let wanted = expectation(of: location) else { return nil }
    if file.format.isUndecodedImage, wanted == Self.image { return nil }
    if file.byteCount == 0 { return .content("the server sent an empty file") }
    if file.format == .html { return .content("the server sent a web page") }
    return .content("not \(wanted) (\(file.format.mediaType))")
  }

  private static let image = "an image"

  /// Returns the kind of file that the location promises, with its article; nil if it promises none.
  private static func expectation(of location: ResourceLocation) -> String? {
    switch location {
    case .file, .invalid: nil
    case .imageService: image
    case .http(let url):
      switch ResourceExpectation(url) {
      case .anything: nil
      case .image: image
      case .pdf: "a PDF"
      case .archive: "an archive"
      }
    }
  }
}
