import Decoding
import Models
import Rendering

/// The header and the palette of a TGA (Truevision TGA File Format Specification 2.0). Everything is
/// little endian.
struct TGAHeader {
  private enum Kind: Int {
    case palette = 1
    case colour = 2
    case grey = 3
  }

  let size: PixelSize
  let bitsPerPixel: Int
  let isCompressed: Bool
  let hasAlpha: Bool
  let isTopDown: Bool
  let isRightToLeft: Bool
  /// The red, green, blue and alpha of each index; nil for an image without a palette.
  let palette: [SIMD4<UInt8>]?
  /// The index of the first colour of the palette.
  let firstIndex: Int
  let isGrey: Bool
  /// The offset of the pixels.
  let dataOffset: Int

  /// The size of a pixel in bytes.
  var pixelSize: Int { (bitsPerPixel + 7) / 8 }

  private static let length = 18

  init(_ file: ByteView, limits: RenderLimits) throws(RenderError) {
    func number(_ offset: Int, _ size: Int) throws(RenderError) -> Int {
      guard let value = file.number(at: offset, size: size, bigEndian: false) else {
        throw .truncated(.tga)
      }
      return value
    }
    let descriptor = try number(17, 1)
    let type = try number(2, 1)
    guard let kind = Kind(rawValue: type & 7), type & ~15 == 0 else {
      throw .damaged(.tga, "its header names the unknown kind \(type)")
    }
    isCompressed = type & 8 != 0
    isGrey = kind == .grey
    size = PixelSize(width: try number(12, 2), height: try number(14, 2))
    try limits.check(width: size.width, height: size.height)
    bitsPerPixel = try number(16, 1)
    let alphaBits = descriptor & 15
    isRightToLeft = descriptor & 0x10 != 0
    isTopDown = descriptor & 0x20 != 0

    let hasPalette = try number(1, 1) != 0
    let entryBits = hasPalette ? try number(7, 1) : 0
    let count = hasPalette ? try number(5, 2) : 0
    let entrySize = (entryBits + 7) / 8
    let offset = Self.length + (try number(0, 1))
    dataOffset = offset + count * entrySize
    firstIndex = hasPalette ? try number(3, 2) : 0
    guard Self.depths(kind).contains(bitsPerPixel),
      kind != .palette || count > 0 && [15, 16, 24, 32].contains(entryBits)
    else {
      throw .damaged(
        .tga, "\(bitsPerPixel) bits per pixel and \(count) colors of \(entryBits) bits")
    }
    palette =
      kind == .palette
      ? (0..<count).map { index in
        Self.colour(file.slice(offset + index * entrySize, entrySize), bits: entryBits)
      } : nil
    hasAlpha =
      switch kind {
      case .palette: entryBits == 32
      case .colour: bitsPerPixel == 32 && alphaBits == 8
      case .grey: bitsPerPixel == 16
      }
  }

  private static func depths(_ kind: Kind) -> [Int] {
    switch kind {
    case .palette: [8, 16]
    case .colour: [15, 16, 24, 32]
    case .grey: [8, 16]
    }
  }

  /// Returns the red, green, blue and alpha of a stored pixel or palette entry.
  static func colour(_ bytes: ByteView, bits: Int) -> SIMD4<UInt8> {
    func byte(_ index: Int) -> UInt8 { bytes.byte(index) ?? 0 }
    guard bits <= 16 else {
      return SIMD4(byte(2), byte(1), byte(0), bits == 32 ? byte(3) : 255)
    }
    let value = Int(byte(1)) << 8 | Int(byte(0))
    func five(_ shift: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: ((value >> shift & 31) * 255 + 15) / 31)
    }
    return SIMD4(five(10), five(5), five(0), 255)
  }
}
