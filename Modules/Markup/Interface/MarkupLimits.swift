public import Models

/// The limits of one document of markup. A document that exceeds the limit of bytes or items is rejected with
/// an error; the items before the error stay valid.
public struct MarkupLimits: Sendable, Equatable {
  /// The maximum size of the document in bytes, at most `limits.manifestBytes`.
  public var bytes: Int
  /// The maximum nesting depth of elements. XML that is nested deeper is rejected; HTML is flattened, as
  /// browsers do.
  public var depth: Int
  /// The maximum number of entries and linked documents, at most `limits.manifestEntries`, and also that of
  /// problems.
  public var items: Int
  /// The maximum length in bytes of one text or attribute (`limits.manifestTextBytes`). Longer ones, such as embedded
  /// images, are ignored; attributes of XML are cut.
  public var textLength: Int

  /// The default of `bytes`.
  public static let defaultBytes = 128 << 20
  /// The maximum size of an HTML document in bytes, whose tree takes up to twenty times its size in memory.
  public static let pageBytes = 32 << 20
  public static let defaultItems = 1_000_000
  public static let defaultDepth = 512
  /// The memory in bytes that a worker may use. It bounds the tree of a document, which takes up to twenty times
  /// the size of the document.
  public static let memoryBytes = 1 << 30

  public init(
    bytes: Int = defaultBytes, depth: Int = defaultDepth, items: Int = defaultItems,
    textLength: Int = 1 << 20
  ) {
    self.bytes = bytes
    self.depth = depth
    self.items = items
    self.textLength = textLength
  }

  /// The setting from which `bytes` comes, for messages.
  public var originOfBytes: String {
    Self.origin("limits.manifestBytes", bytes < Self.defaultBytes)
  }
  /// The setting from which `items` comes, for messages.
  public var originOfItems: String {
    Self.origin("limits.manifestEntries", items < Self.defaultItems)
  }

  /// The maximum size of an HTML document in bytes under these limits.
  public var pageBytes: Int { min(bytes, Self.pageBytes) }
  /// The setting from which the instance's `pageBytes` comes, for messages.
  public var originOfPageBytes: String {
    Self.origin("limits.manifestBytes", bytes < Self.pageBytes)
  }

  /// The words for a limit that no setting raises.
  public static let fixed = "no setting raises this limit"

  private static func origin(_ setting: String, _ isSet: Bool) -> String { isSet ? setting : fixed }

  public init(_ settings: Settings.Limits) {
    self.init(
      bytes: min(settings.manifestBytes, Self.defaultBytes),
      items: min(settings.manifestEntries, Self.defaultItems),
      textLength: settings.manifestTextBytes)
  }
}
