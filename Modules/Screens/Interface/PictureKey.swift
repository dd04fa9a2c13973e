public import Models

/// One picture in one size, turned and inverted as it is shown.
public struct PictureKey: Hashable, Sendable {
  public var resource: ResourceID
  /// From 0.
  public var page: Int
  /// Changes with the content of the file.
  public var stamp: Int
  /// Longest side in pixels.
  public var side: Int
  /// Quarter turns to the right.
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

  /// A stamp for a file: equal contents give equal ones within one run.
  public static func stamp(_ resource: Resource) -> Int {
    var hasher = Hasher()
    hasher.combine(resource.file?.digest)
    hasher.combine(resource.pageCount)
    return hasher.finalize()
  }

  /// Sides come in steps, so that a resized window does not ask for every picture again.
  public static func roundedSide(_ side: Int) -> Int {
    var step = 32
    while step * 8 < side { step *= 2 }
    return min(4_096, max(32, (side + step - 1) / step * step))
  }
}
