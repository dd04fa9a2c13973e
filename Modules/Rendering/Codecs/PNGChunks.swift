import Decoding

/// What the list of chunks says that spng does not tell (PNG 1.2, section 3.2).
struct PNGChunks {
  /// `acTL`: so many frames follow the still image, or begin with it (APNG); 0 without.
  private(set) var frames = 0
  var isAnimated: Bool { frames > 0 }
  private(set) var hasGamma = false
  private(set) var hasProfile = false
  private(set) var isMarkedSRGB = false
  private(set) var isOpaqueType = true
  /// The end chunk is there as a whole.
  private(set) var hasEnd = false

  /// Total: a broken file gives what could be read.
  init(_ file: ByteView) {
    if let type = file.byte(25) { isOpaqueType = type & 4 == 0 }
    var offset = 8
    while let length = file.number(at: offset, size: 4) {
      let name = offset + 4
      if file.starts(with: "acTL", at: name) {
        frames = max(1, file.number(at: name + 4, size: 4) ?? 1)
      }
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
