import CVips
public import Decoding
public import Models
public import Rendering

/// Every format that libvips opens with loaders that are fuzzed: GIF, TIFF, HEIF, AVIF, and those
/// JPEG, PNG and WebP files that need colour management or are animated.
public final class VipsDecoder: ImageDecoder {
  public let name = "vips"
  public let formats: Set<ResourceFormat> = [.jpeg, .png, .webp, .gif, .tiff, .heif, .avif]

  private let library: VipsLibrary

  /// Opens libvips, which takes about 40 ms.
  /// - Throws: `.unsupported` where it is not installed.
  public init() throws(RenderError) {
    library = try VipsLibrary.shared()
  }

  public var libraries: [LibraryVersion] {
    [
      LibraryVersion(
        "libvips", functions.vips_version_string().map { String(cString: $0) }, for: Self.use)
    ]
  }

  /// What it is there for.
  public static let use = "GIF, TIFF, HEIF, AVIF; pictures with color profiles"

  public func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo {
    try header(source, page: 0).info
  }

  public func decode(
    _ source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
    let header = try header(source, page: page)
    guard page >= 0, page < header.info.pageCount else {
      throw RenderError(.damaged, "there is no page \(page + 1) of \(header.info.pageCount)")
    }
    try checkEnd(source, page: page)
    let thumbnail = try made { result in
      imgdl_vips_thumbnail(
        &functions, source.bytes.baseAddress, source.bytes.count, header.options,
        Int32(clamping: side), header.hasProfile ? 1 : 0, &result)
    }
    defer { functions.g_object_unref(thumbnail) }
    let coloured = try made { imgdl_vips_to_srgb(&functions, thumbnail, &$0) }
    defer { functions.g_object_unref(coloured) }
    let bytes = try made { imgdl_vips_to_bytes(&functions, coloured, &$0) }
    defer { functions.g_object_unref(bytes) }
    return DecodedPage(info: header.info, raster: try raster(bytes))
  }

  private lazy var functions = library.functions
}

extension VipsDecoder {
  private struct Header {
    let info: DocumentInfo
    let hasProfile: Bool
    /// For the loader: which page.
    let options: String
  }

  /// Opening a file with libvips reads no more than its header.
  private func header(_ source: ImageSource, page: Int) throws(RenderError) -> Header {
    let options = source.format == .tiff && page > 0 ? "[page=\(page)]" : ""
    if source.format == .gif { try checkGIF(source) }
    guard
      let image = imgdl_vips_header(
        &functions, source.bytes.baseAddress, source.bytes.count, options)
    else { throw openingFailure(source.format) }
    defer { functions.g_object_unref(image) }
    let stored = PixelSize(
      width: Int(functions.vips_image_get_width(image)),
      height: Int(functions.vips_image_get_height(image)))
    let pages = max(1, Int(functions.vips_image_get_n_pages(image)))
    if source.format == .tiff {
      try source.limits.check(width: stored.width, height: stored.height)
    } else {
      try source.limits.check(frames: pages, width: stored.width, height: stored.height)
    }
    let orientation = Orientation(
      rawValue: UInt8(clamping: functions.vips_image_get_orientation(image)))
    let size = (orientation ?? .upright).upright(stored)
    let info = DocumentInfo(
      format: source.format, width: size.width, height: size.height,
      pageCount: source.format == .tiff ? pages : 1,
      hasAlpha: functions.vips_image_hasalpha(image) != 0,
      isAnimated: pages > 1 && (source.format == .gif || source.format == .webp))
    try source.limits.check(pageCount: info.pageCount)
    return Header(
      info: info,
      hasProfile: functions.vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0,
      options: options)
  }

  /// libvips goes by what it finds in the file. What begins like a format of ours and has no loader is
  /// broken.
  private func openingFailure(_ format: ResourceFormat) -> RenderError {
    let failure = library.failure
    guard failure.code == .unsupported, formats.contains(format) else { return failure }
    return RenderError(
      .damaged, "damaged \(format.rawValue.uppercased()): libvips finds no picture in it")
  }

  /// Before libvips looks: it goes through all frames to tell how many there are.
  private func checkGIF(_ source: ImageSource) throws(RenderError) {
    let file = ByteView(source.bytes)
    guard let width = file.number(at: 6, size: 2, bigEndian: false),
      let height = file.number(at: 8, size: 2, bigEndian: false)
    else { throw RenderError(.truncated, "truncated GIF: the header is cut") }
    let structure = GIFStructure(file)
    try source.limits.check(frames: structure.frames, width: width, height: height)
    guard structure.isWhole else { throw RenderError(.truncated, "truncated GIF: no end mark") }
  }

  /// Before pixels: libvips fills what is missing of some formats with grey.
  private func checkEnd(_ source: ImageSource, page: Int) throws(RenderError) {
    let file = ByteView(source.bytes)
    if source.format == .jpeg, !FileEnds.isWholeJPEG(file) {
      throw RenderError(.truncated, "truncated JPEG: no end marker")
    }
    if source.format == .tiff, !FileEnds.isWholeTIFF(file, page: page) {
      throw RenderError(.truncated, "truncated TIFF: pixels are missing")
    }
  }

  private func raster(_ image: UnsafeMutablePointer<VipsImage>) throws(RenderError) -> Raster {
    let width = Int(functions.vips_image_get_width(image))
    let height = Int(functions.vips_image_get_height(image))
    let bands = Int(functions.vips_image_get_bands(image))
    var size = 0
    guard let memory = functions.vips_image_write_to_memory(image, &size) else {
      throw library.failure
    }
    defer { functions.g_free(memory) }
    guard bands >= 3, size >= width * height * bands else {
      throw RenderError(.damaged, "libvips: \(bands) components are no picture")
    }
    let pixels = UnsafeRawBufferPointer(start: memory, count: size)
    // The picture has its size already: rows come through unchanged but for the alpha.
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
    guard let raster = rows.finish() else { throw RenderError(.damaged, "libvips: no picture") }
    return raster
  }

  /// Calls a function that gives an image to its caller.
  private func made(
    _ body: (inout UnsafeMutablePointer<VipsImage>?) -> Int32
  ) throws(RenderError) -> UnsafeMutablePointer<VipsImage> {
    var result: UnsafeMutablePointer<VipsImage>?
    guard body(&result) == 0, let result else { throw library.failure }
    return result
  }
}
