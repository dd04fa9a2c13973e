import Decoding
import Models
import Rendering

/// Decodes a PNG in up to four attempts: unchanged, without ancillary chunks but those of the colours, without any of
/// them, and repaired with checksums ignored.
enum PNGRecovery {
  static func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo {
    do throws(RenderError) {
      return try PNGDecoder(source).info
    } catch {
      guard error.isDamage else { throw error }
      return try with(
        PNGChunks.essential(ByteView(source.bytes), isRepaired: true), of: source
      ) { (reduced) throws(RenderError) in try PNGDecoder(reduced, isLenient: true).info }
    }
  }

  static func decode(_ source: ImageSource, side: Int) throws(RenderError) -> DecodedPage {
    let firstFailure: RenderError
    do throws(RenderError) {
      return try PNGDecoder(source).decode(side: side)
    } catch {
      guard error.isDamage else { throw error }
      firstFailure = error
    }
    if let ending = FileEnding(source) {
      do throws(RenderError) {
        return try ending.withSource(like: source) { (whole) throws(RenderError) in
          try PNGDecoder(whole).decode(side: side)
        }.completed(ending.remark)
      } catch {
        guard error.isDamage else { throw error }
      }
    }
    // The damage may be limited to chunks without pixels; the image is intact without them. Those that state the
    // colours are left out only if they are damaged themselves.
    var damage = firstFailure
    for keepsColours in [true, false] {
      let reduced = PNGChunks.essential(ByteView(source.bytes), keepsColours: keepsColours)
      do throws(RenderError) {
        return try with(reduced, of: source) { (reduced) throws(RenderError) in
          try wholePage(PNGDecoder(reduced).decode(side: side), of: source)
        }
      } catch {
        guard error.isDamage else { throw error }
        damage = error
      }
    }
    return try with(PNGChunks.essential(ByteView(source.bytes), isRepaired: true), of: source) {
      (repaired) throws(RenderError) in
      let decoder: PNGDecoder
      do throws(RenderError) {
        decoder = try PNGDecoder(repaired, isLenient: true)
      } catch {
        throw error.isDamage ? firstFailure : error
      }
      let original = try? PNGDecoder(source, isLenient: true)
      return try decoder.decode(
        side: side, damage: damage, as: original?.info ?? decoder.info,
        original?.orientation ?? decoder.orientation)
    }
  }

  /// Restores the properties and the orientation of the original file, whose EXIF chunk was removed.
  private static func wholePage(_ page: DecodedPage, of source: ImageSource) -> DecodedPage {
    guard let original = try? PNGDecoder(source) else { return page }
    return DecodedPage(
      info: original.info, raster: page.raster, orientation: original.orientation)
  }

  private static func with<Result>(
    _ bytes: [UInt8], of source: ImageSource,
    _ body: (ImageSource) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    try bytes.withUnsafeBufferPointer { (buffer) throws(RenderError) -> Result in
      try body(source.replacing(UnsafeRawBufferPointer(buffer)))
    }
  }
}
