import Models

/// A picture as pixels, in the one form in which a worker gives them: a BMP with a header of 54
/// bytes, rows from the top, four bytes a pixel (blue, green, red, straight alpha), and nothing else.
public struct PixelRendition: Sendable, Equatable {
  public let width: Int
  public let height: Int
  /// Four bytes a pixel, blue first.
  public let pixels: ArraySlice<UInt8>

  public static let headerLength = 54

  /// - Returns: nil unless the bytes are exactly that, and of the size that the rendition says.
  public init?(_ rendition: Rendition) {
    guard rendition.format == .bmp, rendition.width > 0, rendition.height > 0 else { return nil }
    let (area, isTooLarge) = rendition.width.multipliedReportingOverflow(by: rendition.height)
    guard !isTooLarge, area <= Self.largestArea,
      rendition.bytes.count == Self.headerLength + area * 4,
      rendition.bytes.starts(with: Self.header(width: rendition.width, height: rendition.height))
    else { return nil }
    width = rendition.width
    height = rendition.height
    pixels = rendition.bytes[Self.headerLength...]
  }

  /// What the length of a file can say.
  private static let largestArea = (Int(Int32.max) - headerLength) / 4

  /// BITMAPFILEHEADER and BITMAPINFOHEADER; a negative height means rows from the top.
  public static func header(width: Int, height: Int) -> [UInt8] {
    var bytes: [UInt8] = Array("BM".utf8)
    func put(_ value: Int, _ count: Int) {
      for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (shift * 8))) }
    }
    put(headerLength &+ width &* height &* 4, 4)
    put(0, 4)
    put(headerLength, 4)
    put(40, 4)
    put(width, 4)
    put(-height, 4)
    put(1, 2)
    put(32, 2)
    put(0, 4)
    put(width &* height &* 4, 4)
    for _ in 0..<4 { put(0, 4) }
    return bytes
  }
}
