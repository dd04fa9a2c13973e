import CVips
import Decoding
import Models
import Rendering

/// Chooses the loader of libvips and its options.
///
/// The loader is that of the format that the program itself has recognised: libvips recognises fewer files than its
/// loaders read, such as an AVIF that begins as an animation or an SVG whose elements have a prefix.
struct VipsLoading {
  private let source: ImageSource
  private let page: Int
  /// The options that read the image in its stored size.
  let whole: imgdl_vips_options

  init(_ source: ImageSource, page: Int, isStrict: Bool) {
    self.source = source
    self.page = page
    whole = imgdl_vips_options(
      page: source.format == .tiff ? Int32(clamping: page) : 0, is_thumbnail: 0, shrink: 1,
      scale: 1,
      is_strict: isStrict ? 1 : 0)
  }

  /// Returns the options that read a reduced version that the file contains; nil if it contains none that is large enough.
  /// - Parameter versions: The number of pages or resolutions.
  func reduced(_ full: PixelSize, versions: Int, side: Int) -> imgdl_vips_options? {
    var options = whole
    switch source.format {
    case .heif, .avif:
      guard !HEIFStructure(ByteView(source.bytes)).hasUnknownThumbnail else { return nil }
      options.is_thumbnail = 1
    case .tiff:
      let version = TIFFPyramid.version(of: page, in: ByteView(source.bytes), side: side)
      guard version != page else { return nil }
      options.page = Int32(clamping: version)
    case .jpeg2000:
      // Each resolution has half the side of the one before, rounded up.
      let longest = full.longestSide
      let resolution = (1..<max(2, versions)).last { resolution in
        resolution < versions && (longest + 1 << resolution - 1) >> resolution >= side
      }
      guard let resolution else { return nil }
      options.page = Int32(clamping: resolution)
    default: return nil
    }
    return options
  }

  /// Returns the options with which the decoder scales the image, to at least the side.
  func scaled(_ full: PixelSize, side: Int) -> imgdl_vips_options {
    var options = whole
    let factor = Double(full.longestSide) / Double(max(1, side))
    // libvips ends the process if a side becomes zero pixels.
    let shortest = min(full.width, full.height)
    switch source.format {
    // The decoder averages pixels, so that a factor of two is left to the filter that follows.
    case .jpeg:
      options.shrink =
        [8, 4, 2].first { factor >= Double($0) * 2 && shortest >= Int($0) * 8 } ?? 1
    case .webp: options.scale = min(1, max(2 / factor, 8 / Double(max(1, shortest))))
    case .svg, .svgz: options.scale = min(1, max(1 / factor, 1 / Double(max(1, shortest))))
    default: break
    }
    return options
  }
}

extension ResourceFormat {
  var vipsLoader: imgdl_vips_loader? {
    switch self {
    case .jpeg: imgdl_vips_jpeg
    case .png: imgdl_vips_png
    case .webp: imgdl_vips_webp
    case .gif: imgdl_vips_gif
    case .tiff: imgdl_vips_tiff
    case .heif, .avif: imgdl_vips_heif
    case .jpegXL: imgdl_vips_jxl
    case .jpeg2000: imgdl_vips_jp2k
    case .svg, .svgz: imgdl_vips_svg
    default: nil
    }
  }

  var isVector: Bool { self == .svg || self == .svgz }
}

extension ImageSource {
  /// Whether the colours of the file are multiplied by alpha, which libvips does not take into account.
  var isPremultiplied: Bool {
    switch format {
    case .heif, .avif: HEIFStructure(ByteView(bytes)).isPremultiplied
    case .jpegXL: JPEGXLStructure(ByteView(bytes)).isPremultiplied
    default: false
    }
  }

  /// The structure of a camera raw file; nil for any other file.
  var cameraRaw: CameraRaw? { format == .tiff ? CameraRaw(ByteView(bytes)) : nil }

  /// Whether the file has only luminance of the limited range, which its loader does not widen.
  var isGreyOfLimitedRange: Bool {
    (format == .heif || format == .avif) && HEIFStructure(ByteView(bytes)).isGreyOfLimitedRange
  }

  /// Calls `body` with the source, or with a copy that lacks what makes a library refuse the whole file.
  func accepted<Result>(
    _ body: (ImageSource) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    guard let corrected = corrected() else { return try body(self) }
    return try corrected.withUnsafeBufferPointer { (buffer) throws(RenderError) -> Result in
      try body(replacing(UnsafeRawBufferPointer(buffer)))
    }
  }

  private func corrected() -> [UInt8]? {
    switch format {
    case .jpeg: JPEGHeight.completed(ByteView(bytes))
    case .heif, .avif: HEIFStructure.corrected(ByteView(bytes))
    case .svg: SVGRoot(ByteView(bytes))?.enlarged
    default: nil
    }
  }
}
