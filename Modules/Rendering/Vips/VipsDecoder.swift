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
      case .vectors: [.svg, .svgz]
      }
    }
  }

  private let formats: Set<ResourceFormat>

  let library: VipsLibrary

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
    try Self.errorBuffer.withLock { _ throws(RenderError) in
      try source.accepted { (source) throws(RenderError) in try info(of: source) }
    }
  }

  public func decode(
    _ source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
    try Self.errorBuffer.withLock { _ throws(RenderError) in
      try source.accepted { (source) throws(RenderError) in
        try decodedPage(of: source, page: page, side: side)
      }
    }
  }

  func info(of source: ImageSource) throws(RenderError) -> DocumentInfo {
    if let raw = source.cameraRaw { return try info(of: raw, in: source) }
    return try ordinaryInfo(of: source)
  }

  func ordinaryInfo(of source: ImageSource) throws(RenderError) -> DocumentInfo {
    if let tiff = try unsupportedLayoutDecoder(source, page: 0) { return tiff.info }
    return try header(source, page: 0).info
  }

  func decodedPage(
    of source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
    if let raw = source.cameraRaw {
      return try decodedPage(of: raw, in: source, page: page, side: side)
    }
    return try ordinaryPage(of: source, page: page, side: side)
  }

  func ordinaryPage(
    of source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
    let decoded = try plainPage(of: source, page: page, side: side)
    guard source.format == .tiff, page == 0 else { return decoded }
    return TIFFRemarks(source: source).added(to: decoded)
  }

  private func plainPage(
    of source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
    if let tiff = try unsupportedLayoutDecoder(source, page: page) {
      return try tiff.decode(side: side)
    }
    if let ending = FileEnding(source),
      let page = try? ending.withSource(
        like: source,
        { (whole) throws(RenderError) in
          try storedPage(of: whole, page: page, side: side)
        }), page.damage == nil
    {
      return page.completed(ending.remark)
    }
    return try storedPage(of: source, page: page, side: side)
  }

  private func storedPage(
    of source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
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
    if header.hasUncoveredCanvas {
      let frame = try GIFRecovery(source).decode(side: side, damage: damage(source, page: page))
      return DecodedPage(info: header.info, raster: frame.raster, damage: frame.damage)
    }
    try source.limits.check(
      bytesPerPixel: source.format.vipsBytesPerPixel, width: header.info.width,
      height: header.info.height)
    var damage = damage(source, page: page)
    if damage == nil {
      do throws(RenderError) {
        let raster = try thumbnail(source, header, page: page, side: side, isStrict: true)
        return DecodedPage(info: header.info, raster: raster, remark: header.remark)
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
      let raster = try thumbnail(source, header, page: page, side: side, isStrict: false)
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
    _ source: ImageSource, _ header: Header, page: Int, side: Int, isStrict: Bool
  ) throws(RenderError) -> Raster {
    // libvips would enlarge an image that is smaller than `side`.
    let side = min(side, header.stored.longestSide)
    let loading = VipsLoading(source, page: page, isStrict: isStrict)
    // Reduced versions that a file contains may contradict it; then the image itself is read.
    if let reduced = loading.reduced(header.stored, versions: header.versions, side: side),
      let raster = try? self.raster(source, header, reduced, side: side, within: header.stored)
    {
      return raster
    }
    return try raster(source, header, loading.scaled(header.stored, side: side), side: side)
  }

  /// - Parameter full: The size of the image of which a reduced version is read.
  private func raster(
    _ source: ImageSource, _ header: Header, _ options: imgdl_vips_options, side: Int,
    within full: PixelSize? = nil
  ) throws(RenderError) -> Raster {
    let image = try load(source, options)
    if let full {
      let size = size(image)
      guard size == full || full.isReduced(to: size) && size.longestSide >= side else {
        throw .damaged(source.format, "its reduced version is of another image")
      }
    }
    let stored = try adjusted(image, source, header)
    let thumbnail = try picture(source.format) {
      imgdl_vips_thumbnail(
        &functions, stored.image, Int32(clamping: side), header.intent == nil ? 0 : 1,
        header.intent ?? VIPS_INTENT_RELATIVE, &$0)
    }
    let coloured = try picture(source.format) {
      imgdl_vips_to_srgb(&functions, thumbnail.image, &$0)
    }
    let bytes = try picture(source.format) { imgdl_vips_to_bytes(&functions, coloured.image, &$0) }
    return try raster(bytes.image, source.format)
  }

  lazy var functions = library.functions
}

extension VipsDecoder {
  struct Header {
    let info: DocumentInfo
    /// The stored size, before the orientation is applied.
    let stored: PixelSize
    /// The intent with which the file's colour profile is applied; nil without a profile for its number of components.
    let intent: VipsIntent?
    /// The profile to apply in place of an embedded one; nil to apply that, if there is one.
    let profile: [UInt8]?
    /// A remark about the colours, or about what is missing.
    let remark: String?
    /// The number of pages of a TIFF, and of resolutions of a JPEG 2000.
    let versions: Int
    /// Whether the file is a GIF whose first frame does not cover the canvas, of which libvips shows the rest in black.
    let hasUncoveredCanvas: Bool
  }

  /// Reads the header. Except for the codes of a GIF, libvips decodes no pixels when it opens a file.
  private func header(_ source: ImageSource, page: Int) throws(RenderError) -> Header {
    guard formats.contains(source.format) else {
      throw RenderError(.unsupported, source.format.reasonWithoutPreview)
    }
    // The error buffer may still contain warnings about an earlier file that was decoded successfully.
    functions.vips_error_clear()
    if source.format == .gif { try checkGIF(source) }
    if source.format == .jpeg2000 { try checkPalette(source) }
    if source.format == .tiff { try TIFFRemarks(source: source).checkDirectory() }
    let remark = try checkMeaning(source)
    if source.format == .png { try PNGKind.check(ByteView(source.bytes)) }
    let image = try load(source, VipsLoading(source, page: page, isStrict: false).whole)
    let stored = size(image)
    if source.format.isVector, min(stored.width, stored.height) == 1 { try checkVectors(source) }
    let pages = max(1, Int(functions.vips_image_get_n_pages(image.image)))
    // Only the first frame of an animation is decoded, so the number of frames needs no limit.
    try source.limits.check(width: stored.width, height: stored.height)
    let orientation = Orientation(
      rawValue: UInt8(clamping: functions.vips_image_get_orientation(image.image)))
    let size = (orientation ?? .upright).upright(stored)
    let hasAlpha = functions.vips_image_hasalpha(image.image) != 0
    let hasUncoveredCanvas =
      source.format == .gif && !hasAlpha && !GIFStructure.coversCanvas(ByteView(source.bytes))
    let info = DocumentInfo(
      format: source.format, width: size.width, height: size.height,
      pageCount: try source.limits.shownPages(of: source.format == .tiff ? pages : 1),
      hasAlpha: hasAlpha || hasUncoveredCanvas,
      isAnimated: pages > 1 && [.gif, .webp, .jpegXL].contains(source.format))
    let colours = StatedColours(source)
    let components = Int(functions.vips_image_get_bands(image.image)) - (hasAlpha ? 1 : 0)
    let profile =
      switch components {
      case 1: colours.greyProfile
      case 3: colours.profile
      default: [UInt8]?.none
      }
    let embedded = colours.overridesProfile ? nil : intent(image)
    return Header(
      info: info, stored: stored,
      intent: embedded ?? profile.map { _ in VIPS_INTENT_RELATIVE },
      profile: embedded == nil ? profile : nil,
      remark: remark ?? (embedded == nil ? colours.remark : nil),
      versions: pages,
      hasUncoveredCanvas: hasUncoveredCanvas)
  }

  /// Rejects a JPEG 2000 with a palette, for which libvips 8.14 allocates the memory of the indexes and then lets
  /// OpenJPEG write the colours there.
  private func checkPalette(_ source: ImageSource) throws(RenderError) {
    guard JPEG2000Structure.mayHavePalette(ByteView(source.bytes)) else { return }
    throw .unsupported(.jpeg2000, "has a palette, which libvips does not read safely")
  }

  /// Checks the canvas size of a GIF before libvips scans all frames to count them.
  private func checkGIF(_ source: ImageSource) throws(RenderError) {
    guard let canvas = GIFStructure.canvas(ByteView(source.bytes)) else { throw .truncated(.gif) }
    try source.limits.check(width: canvas.width, height: canvas.height)
  }

  /// Rejects an SVG whose size exceeds libvips' integers, for which libvips reports the size 1. An SVG that
  /// really has the size 1 grows if it is loaded at a larger scale.
  private func checkVectors(_ source: ImageSource) throws(RenderError) {
    var options = VipsLoading(source, page: 0, isStrict: false).whole
    options.scale = 100
    let size = size(try load(source, options))
    guard size.width > 1, size.height > 1
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
    case .gif:
      return GIFStructure(file).isWhole
        ? (try? GIFRecovery(source))?.missingPixels : .truncated(.gif)
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
