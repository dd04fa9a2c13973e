/// The format that the content of a document has, as it is stored with its source. It distinguishes more than the formats
/// that a user can demand: an object of an API that reports an error is JSON, too, and has the shape of a map of names.
public struct ContentFormat: Equatable, Sendable {
  public let format: ManifestFormat
  /// Whether the document is `{"name": url}`, and no other JSON.
  public let isNameMap: Bool

  public init(_ format: ManifestFormat, isNameMap: Bool = false) {
    self.format = format
    self.isNameMap = isNameMap
  }

  private static let nameMap = "name-map"

  /// - Parameter text: The ``text`` of a format.
  public init?(text: String) {
    if text == Self.nameMap {
      self.init(.json, isNameMap: true)
    } else if let format = ManifestFormat(rawValue: text) {
      self.init(format)
    } else {
      return nil
    }
  }

  /// The name of the format in the store and in messages: the raw value of `ManifestFormat`, or `name-map`.
  public var text: String { isNameMap ? Self.nameMap : format.rawValue }

  /// Whether a document of the format `other` can be a later version, or a further page, of a source whose first
  /// document has this format.
  public func admits(_ other: ContentFormat) -> Bool {
    isNameMap == other.isNameMap && format.admits(other.format)
  }
}
