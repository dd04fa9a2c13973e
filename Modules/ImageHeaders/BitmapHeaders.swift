import Models

/// The logical screen of a GIF file (GIF89a, section 18).
struct GIFHeader: HeaderParser {
  func parse(_ bytes: [UInt8]) -> HeaderStep {
    guard let width = bytes.number(at: 6, size: 2, isBigEndian: false),
      let height = bytes.number(at: 8, size: 2, isBigEndian: false)
    else { return .need(10) }
    return .found(ImageDimensions(width: width, height: height))
  }
}

/// The header of a Windows bitmap. A negative height means that the rows begin at the top.
struct BMPHeader: HeaderParser {
  func parse(_ bytes: [UInt8]) -> HeaderStep {
    guard bytes.count >= 26 else { return .need(26) }
    let size = bytes.number(at: 14, size: 4, isBigEndian: false) ?? 0
    func number(_ offset: Int, _ size: Int) -> Int {
      bytes.number(at: offset, size: size, isBigEndian: false) ?? 0
    }
    if size == 12 { return .found(ImageDimensions(width: number(18, 2), height: number(20, 2))) }
    guard (16...256).contains(size) else { return .found(nil) }
    let height = Int(Int32(truncatingIfNeeded: number(22, 4)))
    return .found(ImageDimensions(width: number(18, 4), height: Int(height.magnitude)))
  }
}

/// The first chunk of a WebP file (RFC 9649, section 2). The product of the sides of a canvas is at most 2³² - 1.
struct WebPHeader: HeaderParser {
  func parse(_ bytes: [UInt8]) -> HeaderStep {
    guard bytes.count >= 30 else { return .need(30) }
    func number(_ offset: Int, _ size: Int) -> Int {
      bytes.number(at: offset, size: size, isBigEndian: false) ?? 0
    }
    if bytes.has("VP8X", at: 12) {
      // The EXIF chunk, which states the orientation, is behind the pixels.
      guard bytes[20] & 8 == 0 else { return .found(nil) }
      let (width, height) = (number(24, 3) + 1, number(27, 3) + 1)
      guard width * height <= 0xffff_ffff else { return .found(nil) }
      return .found(ImageDimensions(width: width, height: height))
    }
    if bytes.has("VP8L", at: 12), bytes[20] == 0x2f {
      let bits = number(21, 4)
      return .found(
        ImageDimensions(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1))
    }
    // The start code of a key frame (RFC 6386, 9.1).
    if bytes.has("VP8 ", at: 12), Array(bytes[23..<26]) == [0x9d, 0x01, 0x2a] {
      return .found(ImageDimensions(width: number(26, 2) & 0x3fff, height: number(28, 2) & 0x3fff))
    }
    return .found(nil)
  }
}
