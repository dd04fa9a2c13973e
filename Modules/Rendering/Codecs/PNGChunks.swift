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

  /// Returns the file without its ancillary chunks, so that damage in those does no harm.
  /// - Parameter isRepaired: Whether a truncated chunk of pixels is completed with a wrong checksum, because
  ///   spng does not accept a part of a chunk.
  static func essential(_ file: ByteView, isRepaired: Bool = false) -> [UInt8] {
    var result = file.slice(0, 8).array
    var offset = 8
    while let length = file.number(at: offset, size: 4) {
      let isKept = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].contains { (name: StaticString) in
        file.starts(with: name, at: offset + 4)
      }
      if isRepaired, file.starts(with: "IDAT", at: offset + 4), offset + 12 + length > file.count {
        let body = file.slice(offset + 8, length).array
        for shift in [24, 16, 8, 0] { result.append(UInt8(body.count >> shift & 255)) }
        result += Array("IDAT".utf8) + body + [0, 0, 0, 0]
        result += [0, 0, 0, 0] + Array("IEND".utf8) + [0xae, 0x42, 0x60, 0x82]
        return result
      }
      if isKept { result += file.slice(offset, length + 12).array }
      offset += length + 12
    }
    return result
  }
}
