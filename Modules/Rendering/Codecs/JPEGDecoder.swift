import CTurboJPEG
import Decoding
import Glibc
import Models
import Rendering

/// Decodes baseline and progressive JPEG at the smallest scale of n/8 that is large enough.
final class JPEGDecoder {
  private var handle: tjhandle

  init() throws(RenderError) {
    guard let handle = tjInitDecompress() else {
      throw .noMemory(.jpeg)
    }
    self.handle = handle
  }

  deinit { tjDestroy(handle) }

  func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo {
    try JPEGHeight.complete(source) { (source) throws(RenderError) in try info(of: source) }
  }

  func decode(_ source: ImageSource, side: Int) throws(RenderError) -> DecodedPage {
    try JPEGHeight.complete(source) { (source) throws(RenderError) in
      try decodedPage(of: source, side: side)
    }
  }

  private func info(of source: ImageSource) throws(RenderError) -> DocumentInfo {
    let header = try readHeader(source)
    let markers = JPEGMarkers(ByteView(source.bytes))
    return info(header, markers)
  }

  private func decodedPage(
    of source: ImageSource, side: Int
  ) throws(RenderError) -> DecodedPage {
    let header = try readHeader(source)
    let markers = JPEGMarkers(ByteView(source.bytes))
    guard source.keepsStoredColors || markers.isSRGB else {
      throw .unsupported(.jpeg, "has a color profile other than sRGB")
    }
    let scaled = ScaledSize(header.size, side: side)
    let samples = header.samplesPerPixel
    // During resampling the decoded pixels are in memory twice; a buffered coefficient takes two bytes.
    try source.limits.check(
      bytesPerPixel: 2 * samples * scaled.share + (markers.isBuffered ? 2 * samples : 0),
      width: header.size.width, height: header.size.height)
    var damage: RenderError?
    let raster =
      try header.isPlanar
      ? decodePlanes(source, header, scaled, &damage) : decodePixels(source, scaled, &damage)
    // libjpeg does not report missing scans.
    damage = damage ?? JPEGScans(ByteView(source.bytes)).damage
    let page = DecodedPage(
      info: info(header, markers), raster: raster, orientation: markers.orientation,
      damage: damage)
    // Without the end marker libjpeg reports a truncated file, also if the last scan is complete.
    if damage != nil, let ending = FileEnding(source) { return page.completed(ending.remark) }
    if let damage, raster.isMissing { throw damage }
    return page
  }

  private func info(_ header: Header, _ markers: JPEGMarkers) -> DocumentInfo {
    let upright = markers.orientation.upright(header.size)
    return DocumentInfo(format: .jpeg, width: upright.width, height: upright.height)
  }
}

// MARK: - Header

extension JPEGDecoder {
  fileprivate struct Header {
    let size: PixelSize
    let subsampling: TJSAMP
    let colours: TJCS

    /// Whether the file stores luminance and colour difference, or grey alone.
    var isPlanar: Bool { colours == TJCS_YCbCr || colours == TJCS_GRAY }
    var isGrey: Bool { colours == TJCS_GRAY }
  }

  fileprivate func readHeader(_ source: ImageSource) throws(RenderError) -> Header {
    var (width, height, subsampling, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
    let code = tjDecompressHeader3(
      handle, source.jpeg, source.jpegCount, &width, &height, &subsampling, &colours)
    if code != 0 {
      let message = lastMessage
      let isWarning = tjGetErrorCode(handle) == TJERR_WARNING.rawValue
      if !isWarning { try renew() }
      if let kind = JPEGKind.unsupported(message) { throw .unsupported(.jpeg, kind, message) }
      if message.contains("subsampling") {
        throw .unsupported(.jpeg, "is of a kind that libjpeg-turbo does not decode", message)
      }
      // After a warning the header is still available.
      guard isWarning, Self.isHarmless(message) else { throw failure(message) }
    }
    // libjpeg treats the end of the file as the end of the image, which then has no frame yet.
    if width <= 0 || height <= 0, !TruncationCheck.isWholeJPEG(ByteView(source.bytes)) {
      throw .truncated(.jpeg)
    }
    try source.limits.check(width: Int(width), height: Int(height))
    guard colours != TJCS_CMYK.rawValue, colours != TJCS_YCCK.rawValue else {
      throw .unsupported(.jpeg, "is in CMYK colors")
    }
    return Header(
      size: PixelSize(width: Int(width), height: Int(height)),
      subsampling: TJSAMP(rawValue: UInt32(bitPattern: subsampling)),
      colours: TJCS(rawValue: UInt32(bitPattern: colours)))
  }

  /// Replaces the handle. After an error in a header, TurboJPEG 2.1 leaves its handle within that header, and the next
  /// file would be refused for having a second beginning.
  private func renew() throws(RenderError) {
    guard let new = tjInitDecompress() else { throw .noMemory(.jpeg) }
    tjDestroy(handle)
    handle = new
  }

  private var lastMessage: String {
    tjGetErrorStr2(handle).map { String(cString: $0) } ?? "unknown error"
  }

  private func failure(_ message: String) -> RenderError {
    if message.contains("Premature end of JPEG") || message.contains("Input file read error") {
      return .truncated(.jpeg)
    }
    // `TJFLAG_LIMITSCANS` rejects files with more than 500 scans, which would take too long to decode.
    if message.contains("scans") {
      return RenderError(.limit, "the JPEG file has more than 500 scans, as a bomb would")
    }
    return .damaged(.jpeg, message)
  }
}

// MARK: - Pixels

/// The size after scaled decoding: `numerator`/8 of the image.
private struct ScaledSize {
  let full: PixelSize
  let numerator: Int

  /// The smallest scale that leaves a factor of at least 5/4 to the Lanczos filter: the codec's own scaling
  /// averages pixels and is sharper than it should be. A larger factor hardly improves the result but takes
  /// longer. Only scales for which the codec has vector code are used: 8/8 takes 0.16 ms where 5/8 takes
  /// 0.22, and 4/8 less than 3/8.
  init(_ full: PixelSize, side: Int) {
    self.full = full
    let longest = full.longestSide
    numerator = [1, 2, 4].first { longest * $0 * 4 >= side * 8 * 5 } ?? 8
  }

  /// The size in pixels that the codec returns.
  var width: Int { (full.width * numerator + 7) / 8 }
  var height: Int { (full.height * numerator + 7) / 8 }
  /// The width and height that the image covers within the returned size.
  var coveredWidth: Double { Double(full.width * numerator) / 8 }
  var coveredHeight: Double { Double(full.height * numerator) / 8 }
  /// The number of decoded pixels per pixel of the image.
  var share: Double { Double(numerator * numerator) / 64 }
}

extension JPEGDecoder {
  private static let flags = TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS

  private func decodePlanes(
    _ source: ImageSource, _ header: Header, _ size: ScaledSize, _ damage: inout RenderError?
  ) throws(RenderError) -> Raster {
    let subsampling = Int32(bitPattern: header.subsampling.rawValue)
    let count = header.isGrey ? 1 : 3
    var shapes: [PixelSize] = []
    for component in 0..<Int32(count) {
      let width = tjPlaneWidth(component, Int32(size.width), subsampling)
      let height = tjPlaneHeight(component, Int32(size.height), subsampling)
      guard width > 0, height > 0 else { throw failure(lastMessage) }
      shapes.append(PixelSize(width: Int(width), height: Int(height)))
    }
    var components = shapes.map { [UInt8](uninitialised: $0.width * $0.height) }
    damage = try run(source) { flags in
      Self.withPointers(to: &components) { pointers in
        tjDecompressToYUVPlanes(
          handle, source.jpeg, source.jpegCount, &pointers, Int32(size.width), nil,
          Int32(size.height), flags)
      }
    }
    let planes = shapes.indices.map { index in
      let share = index == 0 ? PixelSize(width: 1, height: 1) : header.colourShare
      return Plane(
        width: shapes[index].width, height: shapes[index].height, pixelSize: 1,
        coveredWidth: size.coveredWidth / Double(share.width),
        coveredHeight: size.coveredHeight / Double(share.height),
        bytes: components[index])
    }
    return Raster(layout: header.isGrey ? .grey : .yCbCr, planes: planes)
  }

  /// Calls `body` with pointers to the elements of all arrays.
  private static func withPointers(
    to arrays: inout [[UInt8]], from index: Int = 0,
    _ known: [UnsafeMutablePointer<UInt8>?] = [],
    _ body: (inout [UnsafeMutablePointer<UInt8>?]) -> Int32
  ) -> Int32 {
    guard index < arrays.count else {
      var pointers = known
      return body(&pointers)
    }
    // The array is moved out, so that the others can be accessed during the call.
    var array = arrays[index]
    arrays[index] = []
    defer { arrays[index] = array }
    return array.withUnsafeMutableBufferPointer {
      withPointers(to: &arrays, from: index + 1, known + [$0.baseAddress], body)
    }
  }

  /// Decodes JPEG files that store red, green and blue.
  private func decodePixels(
    _ source: ImageSource, _ size: ScaledSize, _ damage: inout RenderError?
  ) throws(RenderError) -> Raster {
    var bytes = [UInt8](uninitialised: size.width * size.height * 4)
    damage = try run(source) { flags in
      tjDecompress2(
        handle, source.jpeg, source.jpegCount, &bytes, Int32(size.width), 0, Int32(size.height),
        TJPF_RGBX.rawValue, flags)
    }
    let plane = Plane(
      width: size.width, height: size.height, pixelSize: 4, coveredWidth: size.coveredWidth,
      coveredHeight: size.coveredHeight, bytes: bytes)
    return Raster(layout: .rgba(isOpaque: true), planes: [plane])
  }

  /// Decodes strictly and, after a warning, once more without stopping: the codec fills missing parts with
  /// grey.
  /// - Returns: The damage, or nil.
  /// - Throws: An error if no pixels were decoded.
  private func run(
    _ source: ImageSource, _ decode: (Int32) -> Int32
  ) throws(RenderError) -> RenderError? {
    if decode(Self.flags) == 0 { return nil }
    let message = lastMessage
    guard tjGetErrorCode(handle) == TJERR_WARNING.rawValue else { throw failure(message) }
    if decode(Self.flags & ~TJFLAG_STOPONWARNING) != 0,
      tjGetErrorCode(handle) != TJERR_WARNING.rawValue
    {
      throw failure(lastMessage)
    }
    // The codec reports only the first warning; others may follow a harmless one.
    return Self.isHarmless(message) ? JPEGSurvey.damage(source.bytes) : failure(message)
  }

  /// Whether a warning concerns only the encoding of the file, not missing or wrong pixels.
  fileprivate static func isHarmless(_ message: String) -> Bool {
    [
      "extraneous bytes before marker", "Invalid SOS parameters", "unknown JFIF revision",
      "Unknown Adobe color transform",
    ].contains { message.contains($0) }
  }
}

extension JPEGDecoder.Header {
  /// The number of samples of all components that are stored per pixel.
  fileprivate var samplesPerPixel: Double {
    isGrey ? 1 : 1 + 2 / Double(colourShare.width * colourShare.height)
  }

  /// The size of the block of pixels that share a colour sample.
  fileprivate var colourShare: PixelSize {
    switch subsampling {
    case TJSAMP_422: PixelSize(width: 2, height: 1)
    case TJSAMP_420: PixelSize(width: 2, height: 2)
    case TJSAMP_440: PixelSize(width: 1, height: 2)
    case TJSAMP_411: PixelSize(width: 4, height: 1)
    default: PixelSize(width: 1, height: 1)
    }
  }
}

extension Raster {
  /// Whether nothing could be decoded: the codec has filled the first component with grey.
  fileprivate var isMissing: Bool { planes[0].bytes.allSatisfy { $0 == Self.missing } }
}

extension ImageSource {
  fileprivate var jpeg: UnsafePointer<UInt8>? {
    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
  }

  fileprivate var jpegCount: UInt { UInt(bytes.count) }
}
