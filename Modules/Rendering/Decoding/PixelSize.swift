/// Width and height in pixels.
public struct PixelSize: Sendable, Equatable {
  public let width: Int
  public let height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var longestSide: Int { max(width, height) }

  /// Returns the size with the same aspect ratio whose longest side is `side`, at least one pixel wide and
  /// high, and never larger than this size.
  public func fitting(_ side: Int) -> PixelSize {
    let longest = longestSide
    guard side < longest, side > 0 else { return self }
    let ratio = Double(side) / Double(longest)
    return PixelSize(
      width: width == longest ? side : max(1, Int((Double(width) * ratio).rounded())),
      height: height == longest ? side : max(1, Int((Double(height) * ratio).rounded())))
  }

  public var transposed: PixelSize { PixelSize(width: height, height: width) }
}
