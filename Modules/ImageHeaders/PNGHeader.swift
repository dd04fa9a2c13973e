import Models

/// The chunks of a PNG file before its pixels: `IHDR` and, for the orientation, `eXIf` (PNG 3rd edition, 11.2.1
/// and 11.3.4.5).
struct PNGHeader: HeaderParser {
  private var dimensions: ImageDimensions?
  private var hasHeader = false
  private var swapsAxes = false

  mutating func parse(_ bytes: [UInt8]) -> HeaderStep {
    if !hasHeader {
      guard bytes.count >= 33 else { return .need(33) }
      guard bytes.has("IHDR", at: 12), let width = bytes.number(at: 16, size: 4),
        let height = bytes.number(at: 20, size: 4)
      else { return .found(nil) }
      dimensions = ImageDimensions(width: width, height: height)
      hasHeader = true
      return .skip(33, then: 8)
    }
    guard let length = bytes.number(at: 0, size: 4) else { return .found(nil) }
    if bytes.has("IDAT", at: 4) || bytes.has("IEND", at: 4) {
      return .found(swapsAxes ? dimensions?.transposed : dimensions)
    }
    guard bytes.has("eXIf", at: 4) else { return .skip(length + 12, then: 8) }
    guard bytes.count >= 8 + length else { return .need(8 + length) }
    swapsAxes = TIFFOrientation.swapsAxes(Array(bytes[8...]))
    return .skip(length + 12, then: 8)
  }
}
