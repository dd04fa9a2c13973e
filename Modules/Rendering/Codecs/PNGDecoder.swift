import CSpng
import Decoding
import Glibc
import Models
import Rendering

/// Decodes one PNG, row by row if it is not interlaced.
final class PNGDecoder {
  let info: DocumentInfo
  private let context: OpaquePointer
  private let header: spng_ihdr
  private let chunks: PNGChunks
  private let colours: StatedColours

  /// The maximum size in bytes of a chunk other than image data, and of all such chunks together.
  private static let chunkLimit = 16 << 20
  private static let chunksLimit = 64 << 20

  /// - Parameter isLenient: Whether a wrong checksum is ignored.
  init(_ source: ImageSource, isLenient: Bool = false) throws(RenderError) {
    guard let context = spng_ctx_new(0) else { throw .noMemory(.png) }
    do throws(RenderError) {
      let file = ByteView(source.bytes)
      try PNGKind.check(file)
      if file.starts(with: "IHDR", at: 12), let width = file.number(at: 16, size: 4),
        let height = file.number(at: 20, size: 4)
      {
        // The limits are checked before spng reads the header, because the errors of its own limits name no
        // setting.
        try source.limits.check(width: width, height: height)
      }
      spng_set_image_limits(context, UInt32(Int32.max), UInt32(Int32.max))
      spng_set_chunk_limits(context, Self.chunkLimit, Self.chunksLimit)
      let action = Int32((isLenient ? SPNG_CRC_USE : SPNG_CRC_ERROR).rawValue)
      spng_set_crc_action(context, action, action)
      try checkSpng(spng_set_png_buffer(context, source.bytes.baseAddress, source.bytes.count))
      var header = spng_ihdr()
      try checkSpng(spng_get_ihdr(context, &header))
      self.header = header
    } catch {
      spng_ctx_free(context)
      throw error
    }
    self.context = context
    self.limits = source.limits
    keepsStoredColors = source.keepsStoredColors
    chunks = PNGChunks(ByteView(source.bytes))
    colours = StatedColours(source)
    orientation = try Self.orientation(context)
    try source.limits.check(width: Int(header.width), height: Int(header.height))
    let size = orientation.upright(
      PixelSize(width: Int(header.width), height: Int(header.height)))
    info = DocumentInfo(
      format: .png, width: size.width, height: size.height, hasAlpha: !chunks.isOpaqueType,
      isAnimated: chunks.isAnimated)
  }

  deinit { spng_ctx_free(context) }

  let orientation: Orientation
  private let limits: RenderLimits
  private let keepsStoredColors: Bool

  /// Decodes an intact file.
  /// - Throws: An error for any damage, even if some rows could be decoded.
  func decode(side: Int) throws(RenderError) -> DecodedPage {
    // spng would accept an end chunk without all of its checksum.
    guard chunks.hasEnd else { throw .truncated(.png) }
    if !keepsStoredColors, try !isSRGB {
      throw .unsupported(.png, "has a color profile other than sRGB")
    }
    var reducer = reducer(side)
    try decode(into: &reducer)
    // The chunks after the image must be valid as well.
    try checkSpng(spng_decode_chunks(context))
    guard let raster = reducer.finish() else { throw .truncated(.png) }
    return DecodedPage(info: info, raster: raster, orientation: orientation)
  }

  /// Decodes as many rows of a damaged file as possible; the rest is grey.
  /// - Parameter info: The properties of the whole file, of which this decoder may have only a part.
  /// - Throws: `damage` if no row can be decoded.
  func decode(
    side: Int, damage: RenderError, as info: DocumentInfo, _ orientation: Orientation
  ) throws(RenderError) -> DecodedPage {
    var reducer = reducer(side)
    do throws(RenderError) {
      try decode(into: &reducer)
    } catch {
      guard error.isDamage else { throw error }
    }
    guard reducer.pushedRows > 0, let raster = reducer.finishWithGrey() else { throw damage }
    return DecodedPage(info: info, raster: raster, orientation: orientation, damage: damage)
  }

  private func reducer(_ side: Int) -> RowReducer {
    RowReducer(
      width: Int(header.width), height: Int(header.height), side: side,
      isOpaque: chunks.isOpaqueType)
  }

  private func decode(into reducer: inout RowReducer) throws(RenderError) {
    let format = Int32(SPNG_FMT_RGBA8.rawValue)
    let flags =
      Int32(SPNG_DECODE_TRNS.rawValue) | (needsGamma ? Int32(SPNG_DECODE_GAMMA.rawValue) : 0)
    if header.interlace_method == 0 {
      try decodeRows(format, flags, &reducer)
    } else {
      try decodeWhole(format, flags, &reducer)
    }
  }

  private func decodeRows(
    _ format: Int32, _ flags: Int32, _ reducer: inout RowReducer
  ) throws(RenderError) {
    try checkSpng(
      spng_decode_image(context, nil, 0, format, flags | Int32(SPNG_DECODE_PROGRESSIVE.rawValue)))
    let row = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Int(header.width) * 4)
    defer { row.deallocate() }
    for _ in 0..<header.height {
      let code = spng_decode_row(context, row.baseAddress, row.count)
      // spng returns the last row together with the code for the end of the image.
      if code != SPNG_EOI.rawValue { try checkSpng(code) }
      reducer.push(row)
    }
  }

  private func decodeWhole(
    _ format: Int32, _ flags: Int32, _ reducer: inout RowReducer
  ) throws(RenderError) {
    var size = 0
    try checkSpng(spng_decoded_image_size(context, format, &size))
    let rowSize = Int(header.width) * 4
    try limits.check(
      bytesPerPixel: 4, width: Int(header.width), height: Int(header.height))
    guard size == rowSize * Int(header.height), let memory = malloc(size) else {
      throw .noMemory(.png)
    }
    defer { free(memory) }
    memset(memory, Int32(Raster.missing), size)
    let code = spng_decode_image(context, memory, size, format, flags)
    let isBlank =
      code != 0
      && UnsafeRawBufferPointer(start: memory, count: size).allSatisfy { $0 == Raster.missing }
    if isBlank { try checkSpng(code) }
    for row in 0..<Int(header.height) {
      let start = memory.advanced(by: row * rowSize).assumingMemoryBound(to: UInt8.self)
      reducer.push(UnsafeMutableBufferPointer(start: start, count: rowSize))
    }
    try checkSpng(code)
  }
}

extension PNGDecoder {
  private var isSRGB: Bool {
    get throws(RenderError) {
      if colours.profile != nil { return false }
      guard chunks.hasProfile, !colours.overridesProfile else { return true }
      var profile = spng_iccp()
      let code = spng_get_iccp(context, &profile)
      // spng has dropped a malformed profile; browsers ignore such a profile as well.
      guard code != SPNG_ECHUNKAVAIL.rawValue else { return true }
      try checkSpng(code)
      return ColourProfile.isSRGB(
        ByteView(UnsafeRawBufferPointer(start: profile.profile, count: profile.profile_len)))
    }
  }

  /// Whether a `gAMA` chunk must be applied: only without `sRGB` and `iCCP` (PNG 1.2, section 4.2.2.3), and
  /// not if it is close to 1/2.2, which is near enough to sRGB.
  private var needsGamma: Bool {
    guard !keepsStoredColors, chunks.hasGamma, !chunks.isMarkedSRGB, !chunks.hasProfile,
      colours.profile == nil, !colours.overridesProfile
    else { return false }
    var gamma = 0.0
    guard spng_get_gama(context, &gamma) == 0 else { return false }
    return abs(gamma - 1 / 2.2) > 0.01
  }

  /// Returns the EXIF orientation of the image.
  /// - Throws: An error about any damaged chunk before the pixels, because spng parses all of them first.
  private static func orientation(_ context: OpaquePointer) throws(RenderError) -> Orientation {
    var block = spng_exif()
    let code = spng_get_exif(context, &block)
    guard code != SPNG_ECHUNKAVAIL.rawValue else { return .upright }
    try checkSpng(code)
    let bytes = UnsafeRawBufferPointer(start: block.data, count: block.length)
    return EXIF.orientation(ByteView(bytes)) ?? .upright
  }
}

private func checkSpng(_ code: Int32) throws(RenderError) {
  switch code {
  case SPNG_OK.rawValue: return
  case SPNG_IO_EOF.rawValue: throw .truncated(.png)
  case Int32(SPNG_EMEM.rawValue): throw .noMemory(.png)
  default: throw .damaged(.png, spngMessage(code))
  }
}
