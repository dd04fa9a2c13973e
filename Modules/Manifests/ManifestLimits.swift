public import Models

/// The limits of a list and of the memory for parsing it. A list that exceeds one of them ends with an error
/// that names the setting; the entries before the error stay valid. The engine keeps them if there are too many,
/// and rejects the document that exceeds another limit.
public struct ManifestLimits: Equatable, Sendable {
  /// The maximum size of the whole list in bytes (`limits.manifestBytes`).
  public var bytes: Int
  /// The maximum number of entries, invalid ones included (`limits.manifestEntries`).
  public var entries: Int
  /// The maximum nesting depth of arrays and objects, the outermost included (`limits.manifestDepth`).
  public var depth: Int
  /// The maximum length in bytes of one JSON string or number after unescaping, or of one line of a text list
  /// (`limits.manifestTextBytes`).
  public var textLength: Int
  /// The maximum number of slice names kept in memory for a series whose `id` follows its `slices`.
  public var pendingSlices: Int

  public init(
    bytes: Int = .max, entries: Int = .max, depth: Int = 64, textLength: Int = 1 << 20,
    pendingSlices: Int = 100_000
  ) {
    self.bytes = bytes
    self.entries = entries
    self.depth = depth
    self.textLength = textLength
    self.pendingSlices = pendingSlices
  }

  public init(_ settings: Settings.Limits) {
    self.init(
      bytes: settings.manifestBytes, entries: settings.manifestEntries,
      depth: settings.manifestDepth, textLength: settings.manifestTextBytes)
  }
}
