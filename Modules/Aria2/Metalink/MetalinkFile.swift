public import Models

/// A file of a Metalink document that a client has passed.
public struct MetalinkFile: Sendable, Equatable {
  /// The name for the file; nil to take the name from the URI.
  public let name: String?
  /// The URIs of the file, the preferred one first.
  public let uris: [String]
  public let checksum: Checksum?
  /// The size in bytes; nil if the document states none.
  public let byteCount: Int64?

  public init(
    name: String? = nil, uris: [String], checksum: Checksum? = nil, byteCount: Int64? = nil
  ) {
    self.name = name
    self.uris = uris
    self.checksum = checksum
    self.byteCount = byteCount
  }
}
