import Decoding
import Models
import Rendering

/// Decodes BMP. The format is simple enough not to need a library, and libvips supports it only through
/// ImageMagick, which is unsuitable for untrusted files.
struct BMPDecoder {
  let info: DocumentInfo
  private let header: BitmapFileHeader
  private let pixels: ByteView
  private let limits: RenderLimits

  /// Returns the alpha of a pixel of an icon's bitmap, by column and stored row; nil for a BMP file.
  private let opacity: ((Int, Int) -> UInt8)?

  init(
    _ source: ImageSource, opacity: ((Int, Int) -> UInt8)? = nil
  ) throws(RenderError) {
    self.opacity = opacity
    let file = ByteView(source.bytes)
    limits = source.limits
    header = try BitmapFileHeader(file, limits: source.limits)
    pixels = file.slice(from: header.dataOffset)
    info = DocumentInfo(
      format: .bmp, width: header.size.width, height: header.size.height,
      hasAlpha: opacity != nil || Self.hasOpacity(header, pixels))
  }

  /// Whether a pixel is not completely transparent. A file whose pixels all are has no alpha: its writer has left the
  /// field empty, and browsers show its colours.
  private static func hasOpacity(_ header: BitmapFileHeader, _ pixels: ByteView) -> Bool {
    guard header.hasAlpha else { return false }
    let size = header.bitsPerPixel / 8
    let stride = (header.size.width * header.bitsPerPixel + 31) / 32 * 4
    return (0..<header.size.height).contains { row in
      (0..<header.size.width).contains { x in
        let value = pixels.number(at: row * stride + x * size, size: size, bigEndian: false) ?? 0
        return UInt32(truncatingIfNeeded: value) & header.masks[3] != 0
      }
    }
  }

  func decode(side: Int) throws(RenderError) -> DecodedPage {
    let runs = try unpackedRuns()
    let indexes = runs?.indexes
    let stride = (header.size.width * header.bitsPerPixel + 31) / 32 * 4
    // The number of rows that the file contains, counted in the order of the file.
    let storedRows = runs?.rows ?? min(header.size.height, rowsStored(stride))
    guard storedRows > 0 else { throw .truncated(.bmp) }
    var rows = RowReducer(
      width: header.size.width, height: header.size.height, side: side,
      isOpaque: !info.hasAlpha)
    var row = [UInt8](repeating: 255, count: header.size.width * 4)
    for y in 0..<header.size.height {
      let stored = header.isTopDown ? y : header.size.height - 1 - y
      for x in 0..<(stored < storedRows ? 0 : header.size.width) {
        for component in 0..<3 { row[x * 4 + component] = Raster.missing }
        row[x * 4 + 3] = 255
      }
      for x in 0..<(stored < storedRows ? header.size.width : 0) {
        let pixel =
          if let indexes {
            colour(Int(indexes[stored * header.size.width + x]))
          } else {
            pixel(x, rowOffset: stored * stride)
          }
        for component in 0..<4 { row[x * 4 + component] = pixel[component] }
        if let opacity {
          row[x * 4 + 3] = opacity(x, stored)
        } else if !info.hasAlpha {
          row[x * 4 + 3] = 255
        }
      }
      row.withUnsafeMutableBufferPointer { rows.push($0) }
    }
    guard let raster = rows.finish() else {
      throw .damaged(.bmp)
    }
    return DecodedPage(
      info: info, raster: raster,
      damage: storedRows < header.size.height ? .truncated(.bmp) : nil)
  }

  /// Returns the number of complete rows in the file; the last one needs no padding.
  private func rowsStored(_ stride: Int) -> Int {
    let row = (header.size.width * header.bitsPerPixel + 7) / 8
    return pixels.count < row ? 0 : (pixels.count - row) / stride + 1
  }
}

extension BMPDecoder {
  private func pixel(_ x: Int, rowOffset: Int) -> SIMD4<UInt8> {
    switch header.bitsPerPixel {
    case 24:
      let bytes = pixels.slice(rowOffset + x * 3, 3)
      return SIMD4(bytes.byte(2) ?? 0, bytes.byte(1) ?? 0, bytes.byte(0) ?? 0, 255)
    case 16, 32:
      let size = header.bitsPerPixel / 8
      let value = pixels.number(at: rowOffset + x * size, size: size, bigEndian: false) ?? 0
      return masked(UInt32(value))
    default:
      let bit = x * header.bitsPerPixel
      let byte = Int(pixels.byte(rowOffset + bit / 8) ?? 0)
      let shift = 8 - header.bitsPerPixel - bit % 8
      return colour(byte >> shift & (1 << header.bitsPerPixel - 1))
    }
  }

  private func colour(_ index: Int) -> SIMD4<UInt8> {
    index < header.palette.count ? header.palette[index] : SIMD4(0, 0, 0, 255)
  }

  private func masked(_ value: UInt32) -> SIMD4<UInt8> {
    var result = SIMD4<UInt8>(0, 0, 0, 255)
    for (index, mask) in header.masks.enumerated() where mask != 0 {
      let shift = UInt32(mask.trailingZeroBitCount)
      let largest = UInt64(mask >> shift)
      let part = UInt64(value & mask) >> UInt64(shift)
      result[index] = UInt8(truncatingIfNeeded: (part * 255 + largest / 2) / largest)
    }
    return result
  }
}

extension BMPDecoder {
  /// The palette indices of a run-length encoded image, in the order of the file's rows, and the number of
  /// rows; nil for other images. Pixels that the runs skip are 0.
  private func unpackedRuns() throws(RenderError) -> (indexes: [UInt8], rows: Int)? {
    guard header.compression == .runs8 || header.compression == .runs4 else { return nil }
    let (width, height) = (header.size.width, header.size.height)
    try limits.check(bytesPerPixel: 1, width: width, height: height)
    let isNibbles = header.compression == .runs4
    var indexes = [UInt8](repeating: 0, count: width * height)
    var (x, y, offset) = (0, 0, 0)
    func put(_ index: UInt8) {
      if x < width, y < height { indexes[y * width + x] = index }
      x += 1
    }
    while y < height {
      guard let count = pixels.byte(offset), let value = pixels.byte(offset + 1) else {
        return (indexes, y)
      }
      offset += 2
      switch (count, value) {
      case (0, 0): (x, y) = (0, y + 1)
      case (0, 1): return (indexes, height)
      case (0, 2):
        x += Int(pixels.byte(offset) ?? 0)
        y += Int(pixels.byte(offset + 1) ?? 0)
        offset += 2
      case (0, _):
        // An uncompressed run: `value` pixels follow, padded to an even number of bytes.
        for position in 0..<Int(value) {
          let byte = pixels.byte(offset + (isNibbles ? position / 2 : position)) ?? 0
          put(!isNibbles ? byte : position % 2 == 0 ? byte >> 4 : byte & 15)
        }
        let bytes = isNibbles ? (Int(value) + 1) / 2 : Int(value)
        offset += bytes + bytes % 2
      default:
        for position in 0..<Int(count) {
          put(!isNibbles ? value : position % 2 == 0 ? value >> 4 : value & 15)
        }
      }
    }
    return (indexes, height)
  }
}
