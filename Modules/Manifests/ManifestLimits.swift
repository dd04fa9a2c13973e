public import Models

/// How large a list may be, and how much of it is held in memory at once. A list that breaks one of
/// these is refused with an error that names the setting; what came before stays good.
public struct ManifestLimits: Equatable, Sendable {
  /// Bytes of the whole list (`limits.manifestBytes`).
  public var bytes: Int
  /// Entries, bad ones included (`limits.manifestEntries`).
  public var entries: Int
  /// Arrays and objects inside each other, the outermost included (`limits.manifestDepth`).
  public var depth: Int
  /// Bytes of one JSON string or number after its escapes are read, or of one line of a text list
  /// (`limits.manifestTextBytes`).
  public var textLength: Int
  /// Slice names of a series whose `id` comes after its `slices`.
  public var heldSlices: Int

  public init(
    bytes: Int = .max, entries: Int = .max, depth: Int = 64, textLength: Int = 1 << 20,
    heldSlices: Int = 100_000
  ) {
    self.bytes = bytes
    self.entries = entries
    self.depth = depth
    self.textLength = textLength
    self.heldSlices = heldSlices
  }

  public init(_ settings: Settings.Limits) {
    self.init(
      bytes: settings.manifestBytes, entries: settings.manifestEntries,
      depth: settings.manifestDepth, textLength: settings.manifestTextBytes)
  }
}
