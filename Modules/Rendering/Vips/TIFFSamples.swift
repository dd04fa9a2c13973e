import CTIFF
import Rendering

/// The samples of a band of rows: one strip or one row of tiles, or one of each component if `isPlanar`.
final class TIFFSamples {
  private let tiff: imgdl_tiff
  private let file: OpaquePointer
  private let layout: TIFFLayout
  /// The size of a strip or a tile in bytes.
  private let chunkSize: Int
  /// The size of a row of a strip or a tile in bytes.
  private let rowSize: Int
  private let across: Int
  private let planes: Int
  private var chunks: [[UInt8]] = []

  /// - Returns: nil if the strip or tile size that libtiff reports is too small for the layout.
  init?(_ tiff: imgdl_tiff, _ file: OpaquePointer, _ layout: TIFFLayout) {
    self.tiff = tiff
    self.file = file
    self.layout = layout
    chunkSize = Int(layout.isTiled ? tiff.TIFFTileSize(file) : tiff.TIFFStripSize(file))
    planes = layout.isPlanar ? layout.samples : 1
    across = (layout.width + layout.bandWidth - 1) / layout.bandWidth
    let samples = layout.isPlanar ? 1 : layout.samples
    let (count, isTooMany) = layout.bandWidth.multipliedReportingOverflow(by: samples)
    let (bits, isTooLong) = count.multipliedReportingOverflow(by: layout.bits)
    guard !isTooMany, !isTooLong else { return nil }
    rowSize = (bits + 7) / 8
    let (needed, isTooLarge) = rowSize.multipliedReportingOverflow(by: layout.bandHeight)
    guard !isTooLarge, chunkSize >= needed else { return nil }
  }

  /// Checks the memory limit before the buffers of a band are allocated.
  func check(_ limits: RenderLimits) throws(RenderError) {
    let pixels = Double(layout.bandWidth * layout.bandHeight)
    try limits.check(
      bytesPerPixel: Double(chunkSize) * Double(planes) / pixels,
      width: layout.bandWidth * across, height: layout.bandHeight)
  }

  /// Decodes the band that begins with row `y`. Returns false if a part of the band cannot be decoded.
  func read(bandAt y: Int) -> Bool {
    let down = (layout.height + layout.bandHeight - 1) / layout.bandHeight
    if chunks.isEmpty {
      chunks = Array(
        repeating: [UInt8](repeating: 0, count: chunkSize), count: planes * across)
    }
    for plane in 0..<planes {
      for column in 0..<across {
        let number = (plane * down + y / layout.bandHeight) * across + column
        let place = plane * across + column
        // The last strip may have fewer rows.
        let rows = min(layout.bandHeight, layout.height - y)
        let wanted = layout.isTiled ? chunkSize : rows * rowSize
        let count = chunks[place].withUnsafeMutableBytes { buffer in
          layout.isTiled
            ? tiff.TIFFReadEncodedTile(
              file, UInt32(clamping: number), buffer.baseAddress, tmsize_t(buffer.count))
            : tiff.TIFFReadEncodedStrip(
              file, UInt32(clamping: number), buffer.baseAddress, tmsize_t(wanted))
        }
        guard count >= wanted else { return false }
      }
    }
    return true
  }

  /// Converts one row of pixels of the strip, or row of tiles, that was read last.
  /// - Parameters:
  ///   - line: The index of the row, from the top of the strip or row of tiles.
  ///   - row: Receives red, green, blue and alpha of eight bits, not premultiplied.
  func convert(line: Int, into row: inout [UInt8]) {
    let components = layout.isPlanar ? 1 : layout.samples
    let colours = layout.isRGB ? 3 : 1
    for x in 0..<layout.width {
      let column = x / layout.bandWidth
      let inside = x % layout.bandWidth
      func sample(_ component: Int) -> UInt8 {
        let chunk = layout.isPlanar ? component * across + column : column
        return value(
          chunks[chunk], row: line * rowSize,
          index: inside * components + (layout.isPlanar ? 0 : component))
      }
      for component in 0..<3 {
        let value = sample(layout.isRGB ? component : 0)
        row[x * 4 + component] = layout.isInverted ? 255 - value : value
      }
      row[x * 4 + 3] = layout.hasAlpha ? sample(colours) : 255
    }
  }

  /// Returns a sample as eight bits. libtiff has converted samples of whole bytes to the machine's byte
  /// order; samples of other depths are packed from the most significant bit, and each row begins at a byte
  /// boundary.
  private func value(_ chunk: [UInt8], row: Int, index: Int) -> UInt8 {
    let bits = layout.bits
    if bits % 8 == 0 {
      // The samples are little endian, so the last byte is the most significant one.
      return chunk[row + index * bits / 8 + bits / 8 - 1]
    }
    let (first, last) = (index * bits / 8, (index * bits + bits - 1) / 8)
    var number = 0
    // A sample spans at most five bytes.
    for byte in first...last { number = number << 8 | Int(chunk[row + byte]) }
    number = number >> ((last + 1) * 8 - (index + 1) * bits) & (1 << bits - 1)
    let largest = 1 << bits - 1
    return UInt8(truncatingIfNeeded: (number * 255 + largest / 2) / largest)
  }
}
