import CPoppler
import CSurfaces
public import Decoding
public import Models
public import Rendering

/// Renders PDF pages with poppler and cairo, with the page's rotation and crop box applied, on a transparent ground
/// with white below it: on a white one, poppler draws a knockout group with a soft mask as black.
public final class PopplerDecoder: ImageDecoder {
  let functions: imgdl_poppler

  /// Opens poppler and cairo.
  /// - Throws: `.unsupported` if one of the libraries is not installed.
  public init() throws(RenderError) {
    var functions = imgdl_poppler()
    if let message = imgdl_poppler_open(&functions) {
      throw RenderError(
        .unsupported, escaping: "poppler cannot be opened: \(String(cString: message))")
    }
    self.functions = functions
  }

  public var libraries: [LibraryVersion] {
    [
      LibraryVersion(
        "poppler", functions.poppler_get_version().map { String(cString: $0) }, for: Self.use)
    ]
  }

  /// The purpose of the library, as `imgdl-cli doctor` prints it.
  static let use = "pages of PDF"

  public func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo {
    try withPages(of: source) { (source, document, pages) throws(RenderError) in
      // A fault of the first page does not concern the others.
      for page in 0..<min(pages.count, Self.maximumProbedPages) {
        if hasSize(document, page) {
          return try info(document, page: page, pages.count, source.limits)
        }
      }
      return try info(document, page: 0, pages.count, source.limits)
    }
  }

  private static let maximumProbedPages = 100

  public func decode(
    _ source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
    try source.withLayersForView { (source) throws(RenderError) in
      if page > 0, let decoded = try decodeFurther(source, page: page, side: side) {
        return decoded
      }
      return try withPages(of: source) { (source, document, pages) throws(RenderError) in
        let decoded = try decode(source, document, page, side, pages.count)
        guard page == 0 else { return decoded }
        let further = source.limits.remark(pageCount: pages.count)
        let file = ByteView(source.bytes)
        let remarks = [
          pages.remark, further, decoded.remark, PDFImages(file).remark, PDFLayers.remark(file),
        ].compactMap { $0 }
        guard !remarks.isEmpty else { return decoded }
        return decoded.completed(remarks.joined(separator: "; "))
      }
    }
  }

  /// Decodes a page behind the first one, for which the tree of pages is not read; returns nil if poppler has no such page.
  private func decodeFurther(
    _ source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage? {
    let document = try open(source)
    defer { functions.g_object_unref(UnsafeMutableRawPointer(document)) }
    let count = Int(functions.poppler_document_get_n_pages(document))
    return page < count ? try decode(source, document, page, side, count) : nil
  }

  private func decode(
    _ source: ImageSource, _ document: OpaquePointer, _ page: Int, _ side: Int, _ count: Int
  ) throws(RenderError) -> DecodedPage {
    guard !hasSize(document, page) else {
      return try decodeSized(source, document, page, side, count)
    }
    // A box without area, or outside of the other one, is ignored. Without a media box, poppler assumes the letter
    // format.
    for box: StaticString in ["/CropBox", "/MediaBox"] {
      guard let bytes = PDFText(ByteView(source.bytes)).hiding(box) else { continue }
      let decoded = try bytes.withUnsafeBufferPointer {
        (bytes) throws(RenderError) -> DecodedPage? in
        try decodeIfSized(source.replacing(UnsafeRawBufferPointer(bytes)), page, side, count)
      }
      if let decoded { return decoded }
    }
    return try decodeSized(source, document, page, side, count)
  }

  /// Decodes a page unless it has no area.
  private func decodeIfSized(
    _ source: ImageSource, _ page: Int, _ side: Int, _ count: Int
  ) throws(RenderError) -> DecodedPage? {
    let document = try open(source)
    defer { functions.g_object_unref(UnsafeMutableRawPointer(document)) }
    return hasSize(document, page) ? try decodeSized(source, document, page, side, count) : nil
  }

  /// Whether a page exists, and has an area.
  private func hasSize(_ document: OpaquePointer, _ index: Int) -> Bool {
    let count = Int(functions.poppler_document_get_n_pages(document))
    guard let page = try? open(index, of: document, count: count) else { return false }
    defer { functions.g_object_unref(UnsafeMutableRawPointer(page)) }
    var (width, height) = (0.0, 0.0)
    functions.poppler_page_get_size(page, &width, &height)
    return width > 0 && height > 0
  }

  private func decodeSized(
    _ source: ImageSource, _ document: OpaquePointer, _ page: Int, _ side: Int, _ count: Int
  ) throws(RenderError) -> DecodedPage {
    let info = try info(document, page: page, count, source.limits)
    var drawing = try draw(document, page: page, side: side, source.limits)
    if drawing.images.side > Self.maxImageSide, drawing.images.pixels <= source.limits.pixels {
      // For a printer, poppler reduces images that cairo cannot hold, though neither their masks nor stencils. Pages are
      // not always drawn that way, since layers and annotations may be for the screen only.
      drawing = try draw(document, page: page, side: side, source.limits, isPrinting: true)
    }
    let remarks = [
      Self.remark(Int(drawing.images.side)), Self.remark(drawing.incomplete), drawing.textRemark,
    ].compactMap { $0 }
    return DecodedPage(
      info: info, raster: drawing.raster,
      remark: remarks.isEmpty ? nil : remarks.joined(separator: "; "))
  }

  func open(_ source: ImageSource) throws(RenderError) -> OpaquePointer {
    // The caller owns the bytes for the duration of the call, which outlives the document.
    let bytes = functions.g_bytes_new_static(source.bytes.baseAddress, gsize(source.bytes.count))
    defer { functions.g_bytes_unref(bytes) }
    var error: UnsafeMutablePointer<GError>?
    if let document = document(bytes, source, &error) { return document }
    defer { functions.g_clear_error(&error) }
    guard let error else { throw .damaged(.pdf) }
    if error.pointee.domain == functions.poppler_error_quark(),
      error.pointee.code == imgdl_poppler_encrypted
    {
      guard !PDFText(ByteView(source.bytes)).needsCertificate else {
        throw RenderError(
          .unsupported,
          "the PDF file is encrypted for the owner of a certificate; no password opens it")
      }
      throw RenderError(
        .encrypted,
        source.password == nil
          ? "the PDF file is encrypted and needs a password"
          : "the PDF file is encrypted, and the password is wrong")
    }
    throw RenderError.damaged(.pdf, error.pointee.message.map { String(cString: $0) })
  }

  /// Opens a document. With a password it is opened from a stream, because poppler 22.12 dereferences a null
  /// pointer if the document is opened from bytes and the password is wrong.
  private func document(
    _ bytes: OpaquePointer?, _ source: ImageSource, _ error: inout UnsafeMutablePointer<GError>?
  ) -> OpaquePointer? {
    guard let password = source.password else {
      return functions.poppler_document_new_from_bytes(bytes, nil, &error)
    }
    let stream = functions.g_memory_input_stream_new_from_bytes(bytes)
    defer { functions.g_object_unref(stream.map { UnsafeMutableRawPointer($0) }) }
    return functions.poppler_document_new_from_stream(
      stream, gint64(source.bytes.count), password.text, nil, &error)
  }

  /// Returns the properties of the document, with the size of the given page in points.
  /// - Parameter count: The number of pages.
  private func info(
    _ document: OpaquePointer, page: Int, _ count: Int, _ limits: RenderLimits
  ) throws(RenderError) -> DocumentInfo {
    let shown = try limits.shownPages(of: count)
    let page = try open(page, of: document, count: count)
    defer { functions.g_object_unref(UnsafeMutableRawPointer(page)) }
    var (width, height) = (0.0, 0.0)
    functions.poppler_page_get_size(page, &width, &height)
    guard let width = Int(exactly: width.rounded(.up)), width > 0,
      let height = Int(exactly: height.rounded(.up)), height > 0
    else { throw .damaged(.pdf, "the page has no size") }
    guard max(width, height) <= DocumentInfo.maximumSide else {
      throw RenderError(
        .limit, "a page of \(width) × \(height) points: a side exceeds \(DocumentInfo.maximumSide)")
    }
    return DocumentInfo(format: .pdf, width: width, height: height, pageCount: shown)
  }

  func open(
    _ page: Int, of document: OpaquePointer, count: Int
  ) throws(RenderError) -> OpaquePointer {
    guard page >= 0, page < count,
      let opened = functions.poppler_document_get_page(document, Int32(clamping: page))
    else { throw .damaged(.pdf, "there is no page \(page &+ 1) of \(count)") }
    return opened
  }

  /// The maximum side in pixels that cairo's coordinates can express.
  private static let maxSide = 32_767

  /// The maximum side in pixels of an image that cairo is certain to draw. The limit is that of coordinates, less half of
  /// the pixels that become one: 267 or fewer of an image of this side, if it is drawn on 62 pixels or more.
  private static let maxImageSide = 32_500

  /// Returns the remark about the image or mask with the longest side; nil if cairo draws it.
  private static func remark(_ side: Int) -> String? {
    guard side > maxImageSide else { return nil }
    let image = "an image or a mask with a side of \(side) pixels"
    return side > maxSide
      ? "\(image) is missing: cairo draws at most \(maxSide)"
      : "\(image) may be missing: cairo draws those of more than \(maxImageSide) only at some scales"
  }

  /// Returns the remark about the image of which the most rows are missing; nil if none is incomplete.
  private static func remark(_ image: imgdl_incomplete_image) -> String? {
    if image.missing > 0 {
      let rows =
        switch image.missing {
        case image.rows: "an image is missing"
        case 1: "the last of the \(image.rows) rows of an image is missing"
        default: "the last \(image.missing) of the \(image.rows) rows of an image are missing"
        }
      return "\(rows): its data ends too early or is damaged"
    }
    return image.is_damaged == 0
      ? nil : "an image may be incomplete or wrong: its data ends too early or is damaged"
  }

  /// Returns the remark about text that poppler cannot draw on this machine; nil if there is none.
  private static func remark(font: String?, pack: String?) -> String? {
    if let font {
      return "text in the font \(font) is missing: this machine has no font for it (see doctor)"
    }
    return pack.map { "text in \($0) is missing: poppler-data is not installed (see doctor)" }
  }

  /// - Parameters:
  ///   - width: The width of the page in points, which need not be a whole number; a page of a few points would be
  ///     distorted if it were rounded.
  ///   - height: The height of the page in points.
  private static func rasterSize(
    width: Double, height: Double, side: Int, _ limits: RenderLimits
  ) throws(RenderError) -> PixelSize {
    let ratio = Double(side) / max(width, height)
    let size = PixelSize(
      width: width >= height ? side : max(1, Int((width * ratio).rounded())),
      height: height >= width ? side : max(1, Int((height * ratio).rounded())))
    try limits.check(pageWidth: size.width, pageHeight: size.height)
    guard size.longestSide <= maxSide else {
      throw RenderError(.limit, "cairo draws no page of more than \(maxSide) pixels on a side")
    }
    return size
  }
}

extension PopplerDecoder {
  private struct Drawing {
    let raster: Raster
    /// The images and masks of the page.
    let images: imgdl_surfaces
    /// The image that lacks the most rows.
    let incomplete: imgdl_incomplete_image
    /// A remark about text that is missing.
    let textRemark: String?
  }

  private func draw(
    _ document: OpaquePointer, page index: Int, side: Int, _ limits: RenderLimits,
    isPrinting: Bool = false
  ) throws(RenderError) -> Drawing {
    let page = try open(index, of: document, count: index + 1)
    defer { functions.g_object_unref(UnsafeMutableRawPointer(page)) }
    // `info` has checked that both are positive and finite.
    var (width, height) = (0.0, 0.0)
    functions.poppler_page_get_size(page, &width, &height)
    let size = try Self.rasterSize(width: width, height: height, side: side, limits)

    let surface = functions.cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, Int32(clamping: size.width), Int32(clamping: size.height))
    defer { functions.cairo_surface_destroy(surface) }
    let cairo = functions.cairo_create(surface)
    defer { functions.cairo_destroy(cairo) }
    functions.cairo_scale(cairo, Double(size.width) / width, Double(size.height) / height)
    _ = imgdl_take_surfaces()
    // poppler-glib sets a function of its own whenever it opens a document and no other one is open.
    functions.set_error_callback?(imgdl_poppler_message)
    (_, _, _) = (
      imgdl_take_missing_font(), imgdl_take_missing_pack(), imgdl_take_incomplete_image()
    )
    if isPrinting {
      functions.poppler_page_render_for_printing(page, cairo)
    } else {
      functions.poppler_page_render(page, cairo)
    }
    let (images, incomplete) = (imgdl_take_surfaces(), imgdl_take_incomplete_image())
    let text = Self.remark(
      font: imgdl_take_missing_font().map { String(cString: $0) },
      pack: imgdl_take_missing_pack().map { String(cString: $0) })
    functions.cairo_surface_flush(surface)
    // An error while drawing leaves a partly drawn page, which is returned; an error of the surface is
    // thrown.
    let status = functions.cairo_surface_status(surface)
    guard status == CAIRO_STATUS_SUCCESS,
      let data = functions.cairo_image_surface_get_data(surface)
    else {
      let reason = functions.cairo_status_to_string(status).map { String(cString: $0) } ?? ""
      throw RenderError(.io, escaping: "the page of the PDF cannot be drawn (\(reason))")
    }
    let stride = Int(functions.cairo_image_surface_get_stride(surface))
    return Drawing(
      raster: Self.raster(UnsafeRawPointer(data), stride: stride, size), images: images,
      incomplete: incomplete, textRemark: text)
  }

  /// Puts cairo's pixels on white. They are 0xAARRGGBB in the machine's byte order, multiplied by alpha; the result is
  /// bytes of red, green, blue and alpha.
  private static func raster(
    _ data: UnsafeRawPointer, stride: Int, _ size: PixelSize
  ) -> Raster {
    let count = size.width * size.height * 4
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, initialised in
      let target = UnsafeMutableRawBufferPointer(output)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let pixel = data.load(fromByteOffset: y &* stride &+ x &* 4, as: UInt32.self)
          // The order in memory is red, green, blue, 255. No sum exceeds 255, since no colour exceeds alpha.
          let white = (255 &- (pixel &>> 24)) &* 0x010101
          let swapped = (((pixel & 0xff_ffff) &+ white) &<< 8 | 0xff).bigEndian
          target.storeBytes(
            of: swapped, toByteOffset: (y &* size.width &+ x) &* 4, as: UInt32.self)
        }
      }
      initialised = count
    }
    let plane = Plane(width: size.width, height: size.height, pixelSize: 4, bytes: bytes)
    return Raster(layout: .rgba(isOpaque: true), planes: [plane])
  }
}
