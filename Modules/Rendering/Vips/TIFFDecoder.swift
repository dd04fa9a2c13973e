import CTIFF
import Decoding
import Models
import Rendering

/// Decodes with libtiff the kinds of TIFF that libvips does not support or shows wrongly (`TIFFLayout`): samples
/// of any depth up to 32 bits and of 64 bits (including the 12 bits of scanners and cameras), signed and real samples, samples
/// without a stated meaning, and "old-style" JPEG of TIFF 6.0, which libtiff converts to RGB.
struct TIFFDecoder {
  static let library: imgdl_tiff? = {
    var functions = imgdl_tiff()
    return imgdl_tiff_open_library(&functions) == nil ? functions : nil
  }()

  /// Opens libtiff; must be called before a worker loses the right to open files.
  static func prepare() { _ = library }

  let info: DocumentInfo
  private let source: ImageSource
  private let tiff: imgdl_tiff
  private let file: TIFFFile
  private let layout: TIFFLayout
  private let orientation: Orientation
  /// The number of the places without a measurement.
  private let missing: Double?

  /// - Returns: nil for a page that libvips decodes.
  init?(_ source: ImageSource, page: Int) throws(RenderError) {
    guard let tiff = Self.library, let file = TIFFFile(tiff, source, page: page) else { return nil }
    let layout = TIFFLayout(tiff, file.handle)
    guard !layout.isComplex else {
      throw .unsupported(
        .tiff, "has complex numbers, which imgdl does not show", layout.description)
    }
    guard layout.isUnsupportedByVips else { return nil }
    try source.limits.check(width: layout.width, height: layout.height)
    let pageCount = try source.limits.shownPages(of: file.pageCount)
    (self.source, self.tiff, self.file, self.layout) = (source, tiff, file, layout)
    missing = TIFFMeasurements.missing(in: ByteView(source.bytes), page: page)
    // libtiff applies the orientation to images that it converts to RGB itself.
    orientation =
      layout.isConvertedByLibtiff ? .upright : Orientation(rawValue: layout.orientation) ?? .upright
    let size = orientation.upright(PixelSize(width: layout.width, height: layout.height))
    info = DocumentInfo(
      format: .tiff, width: size.width, height: size.height, pageCount: pageCount,
      hasAlpha: layout.hasAlpha)
  }

  func decode(side: Int) throws(RenderError) -> DecodedPage {
    layout.isConvertedByLibtiff ? try converted(side: side) : try unpacked(side: side)
  }

  /// Decodes the page band by band; a band is one strip or one row of tiles.
  private func unpacked(side: Int) throws(RenderError) -> DecodedPage {
    guard let samples = TIFFSamples(tiff, file.handle, layout, missing: missing) else {
      throw .unsupported(.tiff, "is of a kind that imgdl does not support", layout.description)
    }
    try samples.check(source.limits)
    let range = range(of: samples)
    var rows = RowReducer(
      width: layout.width, height: layout.height, side: side, isOpaque: !layout.hasAlpha)
    var row = [UInt8](repeating: 255, count: layout.width * 4)
    var damage: RenderError?
    var y = 0
    while y < layout.height {
      guard samples.read(bandAt: y) else {
        guard y > 0 else { throw .damaged(.tiff, "libtiff decodes no row of it") }
        damage = .damaged(.tiff, "libtiff decodes no row after the first \(y)")
        break
      }
      for line in 0..<min(layout.bandHeight, layout.height - y) {
        samples.convert(line: line, into: &row, range)
        row.withUnsafeMutableBufferPointer { rows.push($0) }
      }
      y += layout.bandHeight
    }
    guard let raster = damage == nil ? rows.finish() : rows.finishWithGrey() else {
      throw .damaged(.tiff)
    }
    return DecodedPage(info: info, raster: raster, orientation: orientation, damage: damage)
  }

  /// Returns the values of signed or real samples that are black and white, for which the page is decoded once more.
  private func range(of samples: TIFFSamples) -> SampleRange {
    var range = SampleRange()
    guard layout.kind != .unsigned else { return range }
    for y in stride(from: 0, to: layout.height, by: layout.bandHeight) {
      guard samples.read(bandAt: y) else { break }
      for line in 0..<min(layout.bandHeight, layout.height - y) {
        samples.extend(&range, line: line)
      }
    }
    return range.rounded(isReal: layout.kind == .real)
  }

  /// Decodes the whole image at once with libtiff's conversion to RGB.
  private func converted(side: Int) throws(RenderError) -> DecodedPage {
    let (width, height) = (layout.width, layout.height)
    try source.limits.check(bytesPerPixel: 8, width: width, height: height)
    let isPossible = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1_024) {
      tiff.TIFFRGBAImageOK(file.handle, $0.baseAddress) != 0
    }
    guard isPossible || layout.isOldJPEG else {
      throw .unsupported(.tiff, "is of a kind that imgdl does not support", layout.description)
    }
    // libtiff stores red in the lowest byte of each pixel.
    var pixels = [UInt32](repeating: 0, count: width * height)
    let isWhole = pixels.withUnsafeMutableBufferPointer {
      tiff.TIFFReadRGBAImageOriented(
        file.handle, UInt32(clamping: width), UInt32(clamping: height), $0.baseAddress,
        ORIENTATION_TOPLEFT, 1) != 0
    }
    guard isWhole || pixels.contains(where: { $0 != 0 }) else {
      throw .damaged(.tiff, "libtiff decodes no row of it")
    }
    var rows = RowReducer(width: width, height: height, side: side, isOpaque: true)
    pixels.withUnsafeMutableBytes { bytes in
      let all = bytes.assumingMemoryBound(to: UInt8.self)
      for y in 0..<height {
        rows.push(
          UnsafeMutableBufferPointer(rebasing: all[(y * width * 4)..<((y + 1) * width * 4)]))
      }
    }
    guard let raster = rows.finish() else { throw .damaged(.tiff) }
    return DecodedPage(
      info: info, raster: raster,
      damage: isWhole ? nil : .damaged(.tiff, "libtiff does not decode all rows"))
  }
}

/// A page of an open TIFF, which is closed on deinitialization.
final class TIFFFile {
  let handle: OpaquePointer
  let pageCount: Int
  private let tiff: imgdl_tiff
  private let memory: UnsafeMutablePointer<imgdl_tiff_memory>

  /// - Returns: nil if libtiff cannot open the file, or the file does not have the page.
  init?(_ tiff: imgdl_tiff, _ source: ImageSource, page: Int) {
    memory = .allocate(capacity: 1)
    memory.initialize(
      to: imgdl_tiff_memory(
        bytes: source.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        size: UInt64(source.bytes.count), position: 0, padding: 0))
    self.tiff = tiff
    var functions = tiff
    guard let handle = imgdl_tiff_open(&functions, memory) else {
      memory.deallocate()
      return nil
    }
    self.handle = handle
    pageCount = Int(tiff.TIFFNumberOfDirectories(handle))
    guard page >= 0, page < pageCount,
      tiff.TIFFSetDirectory(handle, .init(clamping: page)) != 0
    else { return nil }  // All properties are initialized, so `deinit` closes the file.
  }

  /// Whether libtiff reads zeros after the end of the file, as many as a strip has bytes.
  var isPadded: Bool {
    get { memory.pointee.padding > 0 }
    set {
      memory.pointee.padding = newValue ? UInt64(clamping: tiff.TIFFStripSize(handle)) : 0
    }
  }

  deinit {
    tiff.TIFFClose(handle)
    memory.deallocate()
  }
}
