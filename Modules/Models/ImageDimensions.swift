/// The size of an image as it is shown, in pixels.
public struct ImageDimensions: Sendable, Hashable {
  public let width: Int
  public let height: Int

  /// - Returns: nil unless both are in 1...2³¹ - 1.
  public init?(width: Int, height: Int) {
    guard (1...Self.maximum).contains(width), (1...Self.maximum).contains(height) else {
      return nil
    }
    self.width = width
    self.height = height
  }

  private static let maximum = 0x7fff_ffff

  /// The dimensions for display, such as `4000 × 3000`.
  public var text: String { "\(width) × \(height)" }

  /// The dimensions after a rotation by 90 degrees.
  public var transposed: ImageDimensions {
    ImageDimensions(width: height, height: width) ?? self
  }
}
