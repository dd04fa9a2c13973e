import Decoding
import Models
import Rendering

/// The bitmap of an icon, rewritten as a BMP file: with a file header, and with a height that excludes the
/// mask.
struct IconBitmap {
  let file: [UInt8]
  private let width: Int
  private let bitsPerPixel: Int
  private let dataOffset: Int
  private let pixelStride: Int
  private let maskOffset: Int
  private let maskStride: Int
  private let hasAlpha: Bool

  private static let fileHeaderSize = 14
  private static let infoHeaderSize = 40
  /// The maximum side in pixels. Old icons are at most 256 pixels wide; newer large ones are PNG.
  private static let maximumSide = 4_096

  /// - Parameter entry: The bytes of an icon entry: BITMAPINFOHEADER, palette, pixels and mask.
  init(_ entry: ByteView) throws(RenderError) {
    func number(_ offset: Int, _ size: Int) throws(RenderError) -> Int {
      guard let value = entry.number(at: offset, size: size, bigEndian: false) else {
        throw .truncated(.ico)
      }
      return value
    }
    let headerSize = try number(0, 4)
    width = try number(4, 4)
    let height = try number(8, 4) / 2
    bitsPerPixel = try number(14, 2)
    let compression = try number(16, 4)
    let colors = try number(32, 4)
    guard (Self.infoHeaderSize...256).contains(headerSize),
      (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height),
      [1, 4, 8, 16, 24, 32].contains(bitsPerPixel), colors <= 256
    else { throw .damaged(.ico, "the header of a bitmap is invalid") }
    let paletteSize =
      bitsPerPixel <= 8 ? 4 * (colors > 0 ? colors : 1 << bitsPerPixel) : 0
    let maskSize = compression == 3 && headerSize == Self.infoHeaderSize ? 12 : 0
    dataOffset = Self.fileHeaderSize + headerSize + maskSize + paletteSize
    pixelStride = (width * bitsPerPixel + 31) / 32 * 4
    maskStride = (width + 31) / 32 * 4
    maskOffset = dataOffset + pixelStride * height

    var bytes: [UInt8] = Array("BM".utf8)
    func put(_ value: Int) {
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
    put(entry.count + Self.fileHeaderSize)
    put(0)
    put(dataOffset)
    bytes += entry.array
    for (index, shift) in [0, 8, 16, 24].enumerated() {
      bytes[Self.fileHeaderSize + 8 + index] = UInt8(truncatingIfNeeded: height >> shift)
    }
    file = bytes
    // In older icons of 32 bits per pixel, the fourth byte of every pixel is 0 and has no meaning.
    hasAlpha =
      bitsPerPixel == 32
      && stride(from: dataOffset + 3, to: min(maskOffset, bytes.count), by: 4).contains {
        bytes[$0] != 0
      }
  }

  /// Returns the alpha of a pixel in a stored row. A truncated mask hides no pixels.
  func opacity(_ x: Int, _ row: Int) -> UInt8 {
    if hasAlpha {
      let offset = dataOffset + row * pixelStride + x * 4 + 3
      return offset < file.count ? file[offset] : 255
    }
    let offset = maskOffset + row * maskStride + x / 8
    guard offset < file.count else { return 255 }
    return file[offset] >> UInt8(7 - x % 8) & 1 == 1 ? 0 : 255
  }
}
