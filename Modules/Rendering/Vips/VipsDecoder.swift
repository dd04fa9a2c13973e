import CVips
public import Decoding
public import Models
public import Rendering
import Synchronization

/// Decodes the formats for which libvips has fuzzed loaders: GIF, TIFF, HEIF and AVIF, and those JPEG, PNG
/// and WebP files that need colour management or are animated. Of the loaders that libvips marks as
/// untrusted, those of JPEG XL, JPEG 2000 and SVG are used, because workers are confined; SVG, which may need
/// fonts, has a worker of its own.
public final class VipsDecoder: ImageDecoder {
  /// The formats of a decoder: pixel formats, or SVG, which has a worker of its own.
  public enum Kind: Sendable {
    case pixels
    /// SVG. A file is loaded from memory, so that librsvg has no base URL for resolving references: it loads
    /// only data URLs, and it runs no scripts.
    case vectors

    var formats: Set<ResourceFormat> {
      switch self {
      case .pixels: [.jpeg, .png, .webp, .gif, .tiff, .heif, .avif, .jpegXL, .jpeg2000]
      case .vectors: [.svg]
      }
    }
  }

  private let formats: Set<ResourceFormat>

  private let library: VipsLibrary

  /// Opens libvips, which takes about 40 ms.
  /// - Throws: `.unsupported` if it is not installed.
  public init(_ kind: Kind = .pixels) throws(RenderError) {
    formats = kind.formats
    library = try VipsLibrary.shared()
    if kind == .vectors { library.allow("VipsForeignLoadSvg") }
  }

  public var libraries: [LibraryVersion] {
    [
      LibraryVersion(
        "libvips", functions.vips_version_string().map { String(cString: $0) }, for: Self.use)
    ]
  }

  /// The purpose of the library, as `imgdl-cli doctor` prints it.
  static let use =
    "GIF, TIFF, HEIF, AVIF, JPEG XL, JPEG 2000, SVG; images with color profiles"

  /// A lock that each call holds, because libvips collects the errors of all threads in one buffer: without
  /// the lock, a file could fail with the message of another one. A worker has one thread, which never waits.
  private static let errorBuffer = Mutex(())

  public func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo {
    try Self.errorBuffer.withLock { _ throws(RenderError) in try info(of: source) }
  }

  public func decode(
    _ source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
    try Self.errorBuffer.withLock { _ throws(RenderError) in
      try decodedPage(of: source, page: page, side: side)
    }
  }

  private func info(of source: ImageSource) throws(RenderError) -> DocumentInfo {
    if let tiff = try unsupportedLayoutDecoder(source, page: 0) { return tiff.info }
    return try header(source, page: 0).info
  }

  private func decodedPage(
    of source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
    if let tiff = try unsupportedLayoutDecoder(source, page: page) {
      return try tiff.decode(side: side)
    }
    let header: Header
    do throws(RenderError) {
      header = try self.header(source, page: page)
    } catch {
      // libvips decodes the codes of a GIF already when it opens the file, so that damaged codes fail here.
      guard error.isDamage, source.format == .gif else { throw error }
      return try decodeDamagedGIF(source, side: side, damage: error)
    }
    guard page >= 0, page < header.info.pageCount else {
      throw RenderError(.damaged, "there is no page \(page &+ 1) of \(header.info.pageCount)")
    }
    try source.limits.check(
      bytesPerPixel: source.format.vipsBytesPerPixel, width: header.info.width,
      height: header.info.height)
    var damage = damage(source, page: page)
    if damage == nil {
      do throws(RenderError) {
        let raster = try thumbnail(source, header, side: side, isStrict: true)
        return DecodedPage(info: header.info, raster: raster)
      } catch {
        guard error.isDamage else { throw error }
        damage = error
      }
    }
    let failure = damage ?? .damaged(source.format)
    do throws(RenderError) {
      return try decodeIntactPart(source, header, page: page, side: side, failure)
    } catch {
      throw error.isDamage ? failure : error
    }
  }

  /// Returns the decoder for a TIFF page that libvips does not decode; nil for all other files.
  private func unsupportedLayoutDecoder(
    _ source: ImageSource, page: Int
  ) throws(RenderError) -> TIFFDecoder? {
    guard source.format == .tiff else { return nil }
    defer { functions.vips_error_clear() }
    return try TIFFDecoder(source, page: page)
  }

  /// Decodes the intact part of a damaged file: of a GIF with `GIFRecovery`, of other formats in the lenient
  /// mode of libvips, and of a TIFF for which that fails with `TIFFRecovery`.
  private func decodeIntactPart(
    _ source: ImageSource, _ header: Header, page: Int, side: Int, _ damage: RenderError
  ) throws(RenderError) -> DecodedPage {
    if source.format == .gif { return try decodeDamagedGIF(source, side: side, damage: damage) }
    do throws(RenderError) {
      let raster = try thumbnail(source, header, side: side, isStrict: false)
      return DecodedPage(info: header.info, raster: raster, damage: damage)
    } catch {
      guard error.isDamage, source.format == .tiff,
        let recovery = TIFFRecovery(source, page: page)
      else { throw error }
      return try recovery.decode(side: side, damage: damage)
    }
  }

  /// Decodes the intact part of a GIF.
  /// - Throws: `damage` if no pixels can be decoded, because it is more precise than the error of
  ///   `GIFRecovery`.
  private func decodeDamagedGIF(
    _ source: ImageSource, side: Int, damage: RenderError
  ) throws(RenderError) -> DecodedPage {
    do throws(RenderError) {
      return try GIFRecovery(source).decode(side: side, damage: damage)
    } catch {
      throw error.isDamage ? damage : error
    }
  }

  private func thumbnail(
    _ source: ImageSource, _ header: Header, side: Int, isStrict: Bool
  ) throws(RenderError) -> Raster {
    // libvips would enlarge an image that is smaller than `side`.
    let side = min(side, max(header.stored.width, header.stored.height))
    let thumbnail = try createImage(source.format) { result in
      imgdl_vips_thumbnail(
        &functions, source.bytes.baseAddress, source.bytes.count, header.options,
        Int32(clamping: side), header.hasProfile ? 1 : 0, isStrict ? 1 : 0, &result)
    }
    defer { functions.g_object_unref(thumbnail) }
    let coloured = try createImage(source.format) { imgdl_vips_to_srgb(&functions, thumbnail, &$0) }
    defer { functions.g_object_unref(coloured) }
    let bytes = try createImage(source.format) { imgdl_vips_to_bytes(&functions, coloured, &$0) }
    defer { functions.g_object_unref(bytes) }
    return try raster(bytes, source.format)
  }

  private lazy var functions = library.functions
}

extension VipsDecoder {
  private struct Header {
    let info: DocumentInfo
    /// The stored size, before the orientation is applied.
    let stored: PixelSize
    let hasProfile: Bool
    /// The loader option that selects the page.
    let options: String
  }

  /// Reads the header. Except for the codes of a GIF, libvips decodes no pixels when it opens a file.
  private func header(_ source: ImageSource, page: Int) throws(RenderError) -> Header {
    guard formats.contains(source.format) else {
      throw RenderError(.unsupported, "no preview (\(source.format.mediaType))")
    }
    let options = source.format == .tiff && page > 0 ? "[page=\(page)]" : ""
    // The error buffer may still contain warnings about an earlier file that was decoded successfully.
    functions.vips_error_clear()
    if source.format == .gif { try checkGIF(source) }
    if source.format == .svg { try checkEncoding(source) }
    guard
      let image = imgdl_vips_header(
        &functions, source.bytes.baseAddress, source.bytes.count, options)
    else { throw openingFailure(source) }
    defer { functions.g_object_unref(image) }
    let stored = PixelSize(
      width: Int(functions.vips_image_get_width(image)),
      height: Int(functions.vips_image_get_height(image)))
    if source.format == .svg, min(stored.width, stored.height) == 1 { try checkVectors(source) }
    let pages = max(1, Int(functions.vips_image_get_n_pages(image)))
    // Only the first frame of an animation is decoded, so the number of frames needs no limit.
    try source.limits.check(width: stored.width, height: stored.height)
    let orientation = Orientation(
      rawValue: UInt8(clamping: functions.vips_image_get_orientation(image)))
    let size = (orientation ?? .upright).upright(stored)
    let info = DocumentInfo(
      format: source.format, width: size.width, height: size.height,
      pageCount: source.format == .tiff ? pages : 1,
      hasAlpha: functions.vips_image_hasalpha(image) != 0,
      isAnimated: pages > 1 && [.gif, .webp, .jpegXL].contains(source.format))
    try source.limits.check(pageCount: info.pageCount)
    return Header(
      info: info, stored: stored,
      hasProfile: functions.vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0,
      options: options)
  }

  /// Returns the error for a file that libvips cannot open. libvips detects the format itself, so a file with
  /// a known signature but without a loader is damaged.
  private func openingFailure(_ source: ImageSource) -> RenderError {
    let format = source.format
    let failure = library.failure(format)
    guard failure.code == .unsupported, formats.contains(format) else { return failure }
    return .damaged(format, "libvips finds no image in it")
  }

  /// Rejects an SVG in UTF-16: libvips searches for the element name bytewise and would not find it.
  private func checkEncoding(_ source: ImageSource) throws(RenderError) {
    guard source.bytes.prefix(4).contains(0) else { return }
    throw RenderError(
      .damaged, "the SVG file is in UTF-16, which is not drawn; convert it to UTF-8")
  }

  /// Checks the canvas size of a GIF before libvips scans all frames to count them.
  private func checkGIF(_ source: ImageSource) throws(RenderError) {
    let file = ByteView(source.bytes)
    guard let width = file.number(at: 6, size: 2, bigEndian: false),
      let height = file.number(at: 8, size: 2, bigEndian: false)
    else { throw .truncated(.gif) }
    try source.limits.check(width: width, height: height)
  }

  /// Rejects an SVG whose size exceeds libvips' integers, for which libvips reports the size 1. An SVG that
  /// really has the size 1 grows if it is loaded at a larger scale.
  private func checkVectors(_ source: ImageSource) throws(RenderError) {
    guard
      let image = imgdl_vips_header(
        &functions, source.bytes.baseAddress, source.bytes.count, "[scale=100]")
    else { throw openingFailure(source) }
    defer { functions.g_object_unref(image) }
    guard functions.vips_image_get_width(image) > 1, functions.vips_image_get_height(image) > 1
    else {
      throw RenderError(
        .limit,
        "the SVG file has a side of more pixels than limits.imageSide (\(source.limits.side)) allows"
      )
    }
  }

  /// Returns damage that libvips does not report, because its loaders fill missing parts of these formats
  /// with grey.
  private func damage(_ source: ImageSource, page: Int) -> RenderError? {
    let file = ByteView(source.bytes)
    switch source.format {
    case .jpeg:
      return TruncationCheck.isWholeJPEG(file) ? JPEGSurvey.damage(source.bytes) : .truncated(.jpeg)
    case .gif: return GIFStructure(file).isWhole ? nil : .truncated(.gif)
    case .jpeg2000: return JPEG2000Structure(file).damage
    case .tiff:
      return TIFFStrips(file, page: page)?.isWhole ?? true ? nil : .truncated(.tiff)
    default: return nil
    }
  }

  private func raster(
    _ image: UnsafeMutablePointer<VipsImage>, _ format: ResourceFormat
  ) throws(RenderError) -> Raster {
    let width = Int(functions.vips_image_get_width(image))
    let height = Int(functions.vips_image_get_height(image))
    let bands = Int(functions.vips_image_get_bands(image))
    var size = 0
    guard let memory = functions.vips_image_write_to_memory(image, &size) else {
      throw library.failure(format)
    }
    defer { functions.g_free(memory) }
    guard bands >= 3, size >= width * height * bands else {
      throw .damaged(format, "\(bands) components are not an image")
    }
    let pixels = UnsafeRawBufferPointer(start: memory, count: size)
    // The image already has its final size, so the rows change only by premultiplication.
    var rows = RowReducer(
      width: width, height: height, side: max(width, height), isOpaque: bands < 4)
    var row = [UInt8](repeating: 255, count: width * 4)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = (y * width + x) * bands
        for band in 0..<min(bands, 4) { row[x * 4 + band] = pixels[pixel + band] }
      }
      row.withUnsafeMutableBufferPointer { rows.push($0) }
    }
    guard let raster = rows.finish() else { throw .damaged(format) }
    return raster
  }

  /// Calls a libvips function that creates an image; the caller must release the image with `g_object_unref`.
  private func createImage(
    _ format: ResourceFormat, _ body: (inout UnsafeMutablePointer<VipsImage>?) -> Int32
  ) throws(RenderError) -> UnsafeMutablePointer<VipsImage> {
    var result: UnsafeMutablePointer<VipsImage>?
    guard body(&result) == 0, let result else { throw library.failure(format) }
    return result
  }
}

extension ResourceFormat {
  /// The number of bytes that libvips and its loader hold per pixel of the whole image; 0 if rows are
  /// streamed.
  fileprivate var vipsBytesPerPixel: Double {
    switch self {
    // An interlaced PNG and a progressive JPEG are held as a whole; a GIF needs a canvas and a frame.
    case .png, .webp: 4
    case .jpeg: 6
    case .gif, .heif, .avif: 8
    // The loaders hold components of 32 bits and their output.
    case .jpegXL, .jpeg2000: 16
    default: 0
    }
  }
}
