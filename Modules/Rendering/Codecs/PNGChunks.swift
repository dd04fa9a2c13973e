import Decoding

/// What the chunks before the image data say that spng does not tell (PNG 1.2, section 3.2).
struct PNGChunks {
  /// `acTL`: frames follow the still image (APNG).
  private(set) var isAnimated = false
  private(set) var hasGamma = false
  private(set) var hasProfile = false
  private(set) var isMarkedSRGB = false
  private(set) var isOpaqueType = true

  /// Total: a broken file gives what could be read.
  init(_ file: ByteView) {
    if let type = file.byte(25) { isOpaqueType = type & 4 == 0 }
    var offset = 8
    while let length = file.number(at: offset, size: 4), !file.starts(with: "IDAT", at: offset + 4),
      file.number(at: offset + 4, size: 4) != nil
    {
      if file.starts(with: "acTL", at: offset + 4) { isAnimated = true }
      if file.starts(with: "gAMA", at: offset + 4) { hasGamma = true }
      if file.starts(with: "iCCP", at: offset + 4) { hasProfile = true }
      if file.starts(with: "sRGB", at: offset + 4) { isMarkedSRGB = true }
      if file.starts(with: "tRNS", at: offset + 4) { isOpaqueType = false }
      offset += length + 12
    }
  }
}
