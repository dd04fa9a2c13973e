import Decoding

/// The properties in the list of chunks that spng does not report (PNG 1.2, section 3.2).
struct PNGChunks {
  /// The number of frames in the file (APNG). The count in `acTL` is ignored, because only the still image is
  /// decoded.
  private(set) var frames = 0
  var isAnimated: Bool { frames > 0 }
  private(set) var hasGamma = false
  private(set) var hasProfile = false
  private(set) var isMarkedSRGB = false
  private(set) var isOpaqueType = true
  /// Whether the end chunk is complete.
  private(set) var hasEnd = false

  /// Parses the chunks of a file. Of a malformed file, the readable part is parsed.
  init(_ file: ByteView) {
    if let type = file.byte(25) { isOpaqueType = type & 4 == 0 }
    var offset = 8
    while let length = file.number(at: offset, size: 4) {
      let name = offset + 4
      if file.starts(with: "fcTL", at: name) { frames += 1 }
      if file.starts(with: "gAMA", at: name) { hasGamma = true }
      if file.starts(with: "iCCP", at: name) { hasProfile = true }
      if file.starts(with: "sRGB", at: name) { isMarkedSRGB = true }
      if file.starts(with: "tRNS", at: name) { isOpaqueType = false }
      if file.starts(with: "IEND", at: name) {
        hasEnd = offset + length + 12 <= file.count
        return
      }
      offset += length + 12
    }
  }
}

extension PNGChunks {
  /// The ancillary chunks that state what the samples mean.
  private static let colours: [StaticString] = ["cICP", "gAMA", "cHRM", "sRGB", "iCCP", "eXIf"]

  /// Returns the file without its ancillary chunks, so that damage in those does no harm, with a palette of a permitted
  /// length, and with an intact end chunk.
  /// - Parameters:
  ///   - keepsColours: Whether the ancillary chunks that state what the samples mean, and the orientation, are kept.
  ///   - isRepaired: Whether a truncated chunk of pixels is completed with a wrong checksum, because spng does not
  ///     accept a part of a chunk.
  static func essential(
    _ file: ByteView, keepsColours: Bool = false, isRepaired: Bool = false
  ) -> [UInt8] {
    let names = ["IHDR", "tRNS", "IDAT"] + (keepsColours ? colours : [])
    var result = file.slice(0, 8).array
    var offset = 8
    while let length = file.number(at: offset, size: 4) {
      let name = offset + 4
      if isRepaired, file.starts(with: "IDAT", at: name), offset + 12 + length > file.count {
        let body = file.slice(offset + 8, length).array
        result += number(body.count) + Array("IDAT".utf8) + body + [0, 0, 0, 0]
        return result + FileEnding.endOfPNG
      }
      // Everything is in place when the end chunk begins, so that its own damage means nothing.
      if file.starts(with: "IEND", at: name) { return result + FileEnding.endOfPNG }
      let chunk = file.slice(offset, length + 12)
      if file.starts(with: "PLTE", at: name) {
        result += palette(chunk, depth: file.byte(24) ?? 8, type: file.byte(25) ?? 0)
      } else if names.contains(where: { file.starts(with: $0, at: name) }) {
        result += chunk.array
      }
      offset += length + 12
    }
    return result
  }

  /// Returns the chunk of a palette with as many entries as the samples have values, as libpng reads it; nothing for an
  /// image whose samples are no indexes, for which a palette is a suggestion. A chunk with a wrong checksum is returned
  /// unchanged.
  private static func palette(_ chunk: ByteView, depth: UInt8, type: UInt8) -> [UInt8] {
    let content = chunk.slice(4, chunk.count - 8).array
    guard content.count >= 4, chunk.number(at: chunk.count - 4, size: 4) == Int(checksum(content))
    else {
      return chunk.array
    }
    guard type == 3 else { return [] }
    let size = min((content.count - 4) / 3, 1 << Int(min(depth, 8))) * 3
    let kept = Array(content.prefix(4 + size))
    return number(size) + kept + number(Int(checksum(kept)))
  }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Returns the CRC of a chunk's type and data (PNG 1.2, section 3.4).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value = UInt32.max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }
    return ~value
  }
}
