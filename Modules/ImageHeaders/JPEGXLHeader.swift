import Models

/// The container of a JPEG XL file (ISO/IEC 18181-2): boxes, one of which begins with the codestream.
struct JPEGXLBoxes: HeaderParser {
  func parse(_ bytes: [UInt8]) -> HeaderStep {
    guard let size = bytes.number(at: 0, size: 4) else { return .found(nil) }
    if bytes.has("jxlc", at: 4) { return codestream(bytes, 8) }
    // The number of the part precedes its bytes.
    if bytes.has("jxlp", at: 4) { return codestream(bytes, 12) }
    return size >= 8 ? .skip(size, then: 8) : .found(nil)
  }

  private func codestream(_ bytes: [UInt8], _ start: Int) -> HeaderStep {
    bytes.count < start + JPEGXLHeader.length
      ? .need(start + JPEGXLHeader.length) : JPEGXLHeader().parse(Array(bytes[start...]))
  }
}

/// The beginning of a JPEG XL codestream: `SizeHeader` and the orientation in `ImageMetadata` (ISO/IEC 18181-1,
/// annex D).
struct JPEGXLHeader: HeaderParser {
  /// The longest header: the signature, two sizes of 32 bits each, and 9 other bits.
  static let length = 12

  func parse(_ bytes: [UInt8]) -> HeaderStep {
    guard bytes.count >= Self.length, bytes.starts(with: [0xff, 0x0a]) else { return .found(nil) }
    var bits = BitReader(bytes: bytes, position: 16)
    let isSmall = bits.read(1) == 1
    let height = size(&bits, isSmall)
    let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    let ratio = bits.read(3)
    let width =
      ratio == 0 ? size(&bits, isSmall) : height * ratios[ratio - 1].0 / ratios[ratio - 1].1
    let dimensions = ImageDimensions(width: width, height: height)
    // Unless all metadata have their default, a flag says whether the orientation is given.
    let isTurned = bits.read(1) == 0 && bits.read(1) == 1 && bits.read(3) >= 4
    return .found(isTurned ? dimensions?.transposed : dimensions)
  }

  private func size(_ bits: inout BitReader, _ isSmall: Bool) -> Int {
    isSmall ? (bits.read(5) + 1) * 8 : bits.read([9, 13, 18, 30][bits.read(2)]) + 1
  }
}

/// Reads numbers of up to 30 bits, the lowest bit first; zeros beyond the end.
private struct BitReader {
  let bytes: [UInt8]
  var position: Int

  mutating func read(_ count: Int) -> Int {
    var value = 0
    for index in 0..<count {
      let byte = position / 8 < bytes.count ? Int(bytes[position / 8]) : 0
      value |= (byte >> (position % 8) & 1) << index
      position += 1
    }
    return value
  }
}
