public import Models

/// The identity of an image in one size and orientation.
public struct ImageKey: Hashable, Sendable {
  public var resource: ResourceID
  /// The number of the page, from 0.
  public var page: Int
  /// A hash that changes with the content of the file.
  public var stamp: Int
  /// The longest side in pixels.
  public var side: Int
  /// The number of quarter turns clockwise.
  public var turns: Int
  public var isInverted: Bool

  public init(
    resource: ResourceID, page: Int = 0, stamp: Int, side: Int, turns: Int = 0,
    isInverted: Bool = false
  ) {
    self.resource = resource
    self.page = page
    self.stamp = stamp
    self.side = side
    self.turns = turns
    self.isInverted = isInverted
  }

  /// Returns the stamp of a resource's file. Within one run, equal contents have equal stamps.
  public static func stamp(_ resource: Resource) -> Int {
    var hasher = Hasher()
    hasher.combine(resource.file?.digest)
    hasher.combine(resource.pageCount)
    return hasher.finalize()
  }

  /// Rounds a side up to the next of a few sizes, so that resizing the window does not request every image
  /// again.
  public static func roundedSide(_ side: Int) -> Int {
    var step = 32
    while step * 8 < side { step *= 2 }
    return min(4_096, max(32, (side + step - 1) / step * step))
  }
}
