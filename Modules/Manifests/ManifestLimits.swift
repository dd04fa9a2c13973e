/// How much of a list is held in memory at once, whatever its length.
public struct ManifestLimits: Equatable, Sendable {
  /// Arrays and objects inside each other, the outermost included.
  public var depth: Int
  /// Bytes of one JSON string or number after its escapes are read, or of one line of a text list.
  public var textLength: Int
  /// Slice names of a series whose `id` comes after its `slices`.
  public var heldSlices: Int

  public init(depth: Int = 64, textLength: Int = 1 << 20, heldSlices: Int = 100_000) {
    self.depth = depth
    self.textLength = textLength
    self.heldSlices = heldSlices
  }
}
