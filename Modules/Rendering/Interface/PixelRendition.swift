import Models

/// An image as pixels, in the only form that a worker returns: a BMP with a header of 54 bytes, rows from the
/// top, and four bytes per pixel (blue, green, red, straight alpha).
public struct PixelRendition: Sendable, Equatable {
  public let width: Int
  public let height: Int
  /// The pixels, four bytes each, blue first.
  public let pixels: ArraySlice<UInt8>

  public static let headerLength = 54

  /// - Returns: nil unless the bytes have exactly this form and the size that the rendition states.
  public init?(_ rendition: Rendition) {
    guard rendition.format == .bmp, rendition.width > 0, rendition.height > 0 else { return nil }
    let (area, isTooLarge) = rendition.width.multipliedReportingOverflow(by: rendition.height)
    guard !isTooLarge, area <= Self.maximumArea,
      rendition.bytes.count == Self.headerLength + area * 4,
      rendition.bytes.starts(with: Self.header(width: rendition.width, height: rendition.height))
    else { return nil }
    width = rendition.width
    height = rendition.height
    pixels = rendition.bytes[Self.headerLength...]
  }

  /// The largest area in pixels whose file size fits into the header.
  private static let maximumArea = (Int(Int32.max) - headerLength) / 4

  /// Returns a BITMAPFILEHEADER and a BITMAPINFOHEADER; a negative height means rows from the top.
  public static func header(width: Int, height: Int) -> [UInt8] {
    var bytes: [UInt8] = Array("BM".utf8)
    func append(_ value: Int, _ count: Int) {
      for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (shift * 8))) }
    }
    append(headerLength &+ width &* height &* 4, 4)
    append(0, 4)
    append(headerLength, 4)
    append(40, 4)
    append(width, 4)
    append(-height, 4)
    append(1, 2)
    append(32, 2)
    append(0, 4)
    append(width &* height &* 4, 4)
    for _ in 0..<4 { append(0, 4) }
    return bytes
  }
}
