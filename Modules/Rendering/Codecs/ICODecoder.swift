import Decoding
import Models
import Rendering

/// Decodes the largest image of a file of icons or cursors: a PNG, or a BMP without its file header and with a mask
/// (Microsoft, "Icons in Win32", MSDN, 1995).
enum ICODecoder {
  static func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo {
    try decode(source, side: 1).info
  }

  /// - Returns: The largest image; if that is damaged, the next one together with the damage.
  static func decode(_ source: ImageSource, side: Int) throws(RenderError) -> DecodedPage {
    let entries = try entries(ByteView(source.bytes))
    var failure: RenderError?
    var unsupported: RenderError?
    for entry in entries {
      do throws(RenderError) {
        let page = try decode(entry, source.limits, side: side)
        let info = DocumentInfo(
          format: source.format, width: page.info.width, height: page.info.height,
          hasAlpha: page.info.hasAlpha)
        return DecodedPage(
          info: info, raster: page.raster, orientation: page.orientation,
          damage: failure ?? page.damage.map { Self.ownDamage($0, source.format) })
      } catch {
        // An image of a kind that is not supported is no damage, and a smaller one is shown instead.
        if error.code == .unsupported {
          unsupported = unsupported ?? error
          continue
        }
        guard error.isDamage else { throw error }
        failure = failure ?? Self.ownDamage(error, source.format)
      }
    }
    if failure == nil, let unsupported { throw unsupported }
    throw failure ?? .damaged(source.format, "it contains no image")
  }

  /// Converts an error about the embedded image to one about the icon file, which states the damage once.
  private static func ownDamage(_ error: RenderError, _ format: ResourceFormat) -> RenderError {
    if error.code == .truncated { return .truncated(format) }
    if error.detail.hasPrefix("the \(format.displayName) file") { return error }
    let detail = error.detail.replacing("the PNG file", with: "its PNG image")
      .replacing("the BMP file", with: "its bitmap").replacing("the ICO file", with: "its bitmap")
    return RenderError(
      error.code, escaping: "the \(format.displayName) file is damaged: \(detail)")
  }

  private static let entrySize = 16
  private static let headerSize = 6
  /// The maximum number of entries; no icon has more sizes and depths.
  private static let maximumEntries = 256

  /// Returns the entries, the largest image first; of equally large images, the one with the most bits per
  /// pixel.
  private static func entries(_ file: ByteView) throws(RenderError) -> [ByteView] {
    guard let count = file.number(at: 4, size: 2, bigEndian: false) else {
      throw .truncated(.ico)
    }
    var found: [(area: Int, bits: Int, bytes: ByteView)] = []
    for index in 0..<min(count, maximumEntries) {
      let entry = headerSize + index * entrySize
      guard let width = file.byte(entry), let height = file.byte(entry + 1),
        let bits = file.number(at: entry + 6, size: 2, bigEndian: false),
        let size = file.number(at: entry + 8, size: 4, bigEndian: false),
        let offset = file.number(at: entry + 12, size: 4, bigEndian: false)
      else { throw .truncated(.ico) }
      // A stored width or height of 0 means 256 pixels.
      let area = (Int(width &- 1) + 1) * (Int(height &- 1) + 1)
      found.append((area, bits, file.slice(offset, size)))
    }
    guard !found.isEmpty else { throw .damaged(.ico, "it contains no image") }
    // In a cursor the two numbers are the place that points.
    let isCursor = file.byte(2) == 2
    return found.sorted {
      ($0.area, isCursor ? 0 : $0.bits) > ($1.area, isCursor ? 0 : $1.bits)
    }.map(\.bytes)
  }

  private static func decode(
    _ entry: ByteView, _ limits: RenderLimits, side: Int
  ) throws(RenderError) -> DecodedPage {
    guard entry.count > 0 else { throw .truncated(.ico) }
    let bytes = entry.array
    if ResourceFormat(sniffing: bytes) == .png {
      return try bytes.withUnsafeBufferPointer { (buffer) throws(RenderError) -> DecodedPage in
        try PNGRecovery.decode(
          ImageSource(
            bytes: UnsafeRawBufferPointer(buffer), format: .png, limits: limits,
            // Icons are not converted from their colour profile.
            keepsStoredColors: true),
          side: side)
      }
    }
    let bitmap = try IconBitmap(entry)
    return try bitmap.file.withUnsafeBufferPointer { (buffer) throws(RenderError) -> DecodedPage in
      let source = ImageSource(
        bytes: UnsafeRawBufferPointer(buffer), format: .bmp, limits: limits)
      return try BMPDecoder(source, opacity: bitmap.opacity).decode(side: side)
    }
  }
}
