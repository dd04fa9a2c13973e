/// An image in memory, in sRGB.
///
/// A raster keeps the layout that a codec produces at the least cost: a JPEG stays in its own colour space
/// from decoder to encoder and is never converted.
public struct Raster: Sendable {
  public enum Layout: Sendable, Equatable {
    /// A single plane of grey values.
    case grey
    /// Three planes of full-range BT.601 components as in JFIF; the two colour planes may be coarser by any
    /// factor.
    case yCbCr
    /// One plane of red, green, blue and alpha bytes; the colours are multiplied by alpha. If `isOpaque`, the
    /// alpha byte has no meaning.
    case rgba(isOpaque: Bool)
  }

  /// The value of every component where nothing could be decoded: a medium grey.
  public static let missing: UInt8 = 128

  public let layout: Layout
  public let planes: [Plane]

  public init(layout: Layout, planes: [Plane]) {
    precondition(planes.count == (layout == .yCbCr ? 3 : 1))
    self.layout = layout
    self.planes = planes
  }

  /// The width and height of the covered area in pixels, rounded up.
  public var width: Int { Int(planes[0].coveredWidth.rounded(.up)) }
  public var height: Int { Int(planes[0].coveredHeight.rounded(.up)) }
}
