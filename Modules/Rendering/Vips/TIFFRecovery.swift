import CTIFF
import Decoding
import Models
import Rendering

/// Decodes a damaged TIFF page with libtiff, one strip or tile after the other, and leaves undecodable ones
/// grey, whereas libvips stops at the first undecodable one. Colour profiles are not applied.
struct TIFFRecovery {
  private let source: ImageSource
  private let tiff: imgdl_tiff
  private let file: TIFFFile
  private let layout: TIFFLayout
  private let pageCount: Int

  /// - Returns: nil if libtiff does not find the page.
  init?(_ source: ImageSource, page: Int) {
    guard let tiff = TIFFDecoder.library, let file = TIFFFile(tiff, source, page: page) else {
      return nil
    }
    (self.source, self.tiff, self.file) = (source, tiff, file)
    layout = TIFFLayout(tiff, file.handle)
    pageCount = file.pageCount
    guard layout.width > 0, layout.height > 0, layout.bandWidth > 0, layout.bandHeight > 0 else {
      return nil
    }
    var functions = tiff
    // Makes libtiff decode the rows as they are stored; the image is turned upright after decoding.
    imgdl_tiff_set_short(
      &functions, file.handle, UInt32(TIFFTAG_ORIENTATION), UInt16(ORIENTATION_TOPLEFT))
  }

  /// - Parameter damage: The damage of the file, which is thrown if nothing can be decoded.
  func decode(side: Int, damage: RenderError) throws(RenderError) -> DecodedPage {
    let (width, height) = (layout.width, layout.height)
    let rowPixels = layout.isTiled ? layout.bandWidth : width
    try source.limits.check(width: width, height: height)
    try source.limits.check(bytesPerPixel: 8, width: rowPixels, height: layout.bandHeight)
    let pageCount = try source.limits.shownPages(of: pageCount)
    let orientation = Orientation(rawValue: layout.orientation) ?? .upright
    let size = orientation.upright(PixelSize(width: width, height: height))
    let info = DocumentInfo(
      format: .tiff, width: size.width, height: size.height, pageCount: pageCount,
      hasAlpha: layout.hasAlpha)
    var rows = RowReducer(width: width, height: height, side: side, isOpaque: !layout.hasAlpha)
    let grey = [UInt8](repeating: Raster.missing, count: width * 4).opaque
    var band = [UInt32](repeating: 0, count: rowPixels * layout.bandHeight)
    var isAnyDecoded = false
    for y in stride(from: 0, to: height, by: layout.bandHeight) {
      let count = min(layout.bandHeight, height - y)
      var lines = [[UInt8]](repeating: grey, count: layout.isTiled ? count : 0)
      let tiles = layout.isTiled ? Array(stride(from: 0, to: width, by: layout.bandWidth)) : [0]
      var decoded = 0
      for x in tiles {
        decoded = read(x, y, into: &band) ? wholeRows(from: y, count) : 0
        isAnyDecoded = isAnyDecoded || decoded > 0
        guard layout.isTiled, decoded > 0 else { continue }
        // libtiff returns the rows of a tile from the bottom up, even if only a part of the tile is in the
        // image.
        for line in 0..<count {
          let start = (layout.bandHeight - 1 - line) * rowPixels
          let part = min(rowPixels, width - x)
          write(band[start..<(start + part)], into: &lines[line], at: x)
        }
      }
      for line in 0..<count {
        var row = grey
        if layout.isTiled {
          row = lines[line]
        } else if line < decoded {
          let start = (count - 1 - line) * width
          write(band[start..<(start + width)], into: &row, at: 0)
        }
        row.withUnsafeMutableBufferPointer { rows.push($0) }
      }
    }
    guard isAnyDecoded, let raster = rows.finish() else { throw damage }
    return DecodedPage(info: info, raster: raster, orientation: orientation, damage: damage)
  }

  /// Decodes the strip or tile that begins with the given pixel. Returns false if libtiff fails.
  private func read(_ x: Int, _ y: Int, into band: inout [UInt32]) -> Bool {
    // With zeros after the end of the file, libtiff decodes the existing rows of a truncated uncompressed
    // strip.
    file.isPadded = isUncompressedStrip
    defer { file.isPadded = false }
    return band.withUnsafeMutableBufferPointer { pixels in
      layout.isTiled
        ? tiff.TIFFReadRGBATileExt(
          file.handle, UInt32(clamping: x), UInt32(clamping: y), pixels.baseAddress, 1) != 0
        : tiff.TIFFReadRGBAStripExt(
          file.handle, UInt32(clamping: y), pixels.baseAddress, 1) != 0
    }
  }

  private var isUncompressedStrip: Bool { !layout.isTiled && layout.isUncompressed }

  /// Returns the number of rows of a decoded strip that the file contains; the rows after them are padding.
  private func wholeRows(from y: Int, _ count: Int) -> Int {
    guard isUncompressedStrip else { return count }
    let rowSize = Int(clamping: tiff.TIFFScanlineSize(file.handle))
    guard rowSize > 0 else { return 0 }
    let strips = (layout.height + layout.bandHeight - 1) / layout.bandHeight
    return (0..<(layout.isPlanar ? layout.samples : 1)).reduce(count) { fewest, plane in
      let strip = plane * strips + y / layout.bandHeight
      let start = Int(
        clamping: tiff.TIFFGetStrileOffset(file.handle, UInt32(clamping: strip)))
      return min(fewest, max(0, source.bytes.count - start) / rowSize)
    }
  }

  /// Writes pixels to a row whose colours are not multiplied by alpha. libtiff returns red in the lowest
  /// byte, and premultiplied colours.
  private func write(_ pixels: ArraySlice<UInt32>, into row: inout [UInt8], at x: Int) {
    var place = x * 4
    for pixel in pixels {
      let alpha = layout.hasAlpha ? pixel >> 24 : 255
      for component in 0..<3 {
        let value = pixel >> (8 * UInt32(component)) & 255
        row[place + component] =
          alpha == 0 || alpha == 255
          ? UInt8(value) : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
      }
      row[place + 3] = UInt8(alpha)
      place += 4
    }
  }
}

extension [UInt8] {
  /// The same pixels with an alpha of 255.
  fileprivate var opaque: [UInt8] {
    var pixels = self
    for index in stride(from: 3, to: count, by: 4) { pixels[index] = 255 }
    return pixels
  }
}
