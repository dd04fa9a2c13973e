import CWebP
import Decoding
import Models
import Rendering

/// Decodes one still WebP.
struct WebPDecoder {
  let info: DocumentInfo
  private let source: ImageSource
  private let chunks: WebPChunks
  private let size: PixelSize
  private let hasAlpha: Bool

  init(_ source: ImageSource) throws(RenderError) {
    var features = WebPBitstreamFeatures()
    try checkWebP(WebPGetFeatures(source.webP, source.bytes.count, &features))
    size = PixelSize(width: Int(features.width), height: Int(features.height))
    chunks = WebPChunks(ByteView(source.bytes))
    try source.limits.check(width: size.width, height: size.height)
    hasAlpha = features.has_alpha != 0
    let upright = chunks.orientation.upright(size)
    info = DocumentInfo(
      format: .webp, width: upright.width, height: upright.height, hasAlpha: hasAlpha,
      isAnimated: features.has_animation != 0)
    self.source = source
  }

  func decode(side: Int) throws(RenderError) -> DecodedPage {
    guard !info.isAnimated else {
      throw .unsupported(.webp, "is animated")
    }
    guard source.keepsStoredColors || chunks.isSRGB else {
      throw .unsupported(.webp, "has a color profile other than sRGB")
    }
    var configuration = WebPDecoderConfig()
    guard WebPInitDecoderConfig(&configuration) != 0 else {
      throw RenderError(
        .io, "the version of libwebp differs from the one that imgdl was built with")
    }
    // The codec's own scaling, which averages pixels, saves the memory of a large image; a factor of two is
    // left to the Lanczos filter.
    let decoded = size.fitting(side.multipliedReportingOverflow(by: 2).partialValue)
    if decoded != size {
      configuration.options.use_scaling = 1
      configuration.options.scaled_width = Int32(clamping: decoded.width)
      configuration.options.scaled_height = Int32(clamping: decoded.height)
    }
    // libwebp holds a lossless image as a whole, regardless of the output size.
    try source.limits.check(bytesPerPixel: 4, width: size.width, height: size.height)
    var bytes = [UInt8](uninitialised: decoded.width * decoded.height * 4)
    configuration.output.colorspace = MODE_rgbA
    configuration.output.is_external_memory = 1
    let damage = try bytes.withUnsafeMutableBufferPointer {
      (output) throws(RenderError) -> RenderError? in
      configuration.output.u.RGBA.rgba = output.baseAddress
      configuration.output.u.RGBA.stride = Int32(clamping: decoded.width * 4)
      configuration.output.u.RGBA.size = output.count
      do throws(RenderError) {
        try checkWebP(WebPDecode(source.webP, source.bytes.count, &configuration))
        return nil
      } catch {
        guard error.isDamage else { throw error }
        try decodePart(&configuration, into: output, decoded, damage: error)
        return error
      }
    }
    let plane = Plane(width: decoded.width, height: decoded.height, pixelSize: 4, bytes: bytes)
    return DecodedPage(
      info: info, raster: Raster(layout: .rgba(isOpaque: !hasAlpha), planes: [plane]),
      orientation: chunks.orientation, damage: damage)
  }

  /// Decodes the available rows and fills the others with grey.
  /// - Throws: `damage` if no row is available.
  private func decodePart(
    _ configuration: inout WebPDecoderConfig, into output: UnsafeMutableBufferPointer<UInt8>,
    _ size: PixelSize, damage: RenderError
  ) throws(RenderError) {
    guard let decoder = WebPIDecode(nil, 0, &configuration) else { throw damage }
    defer { WebPIDelete(decoder) }
    _ = WebPIUpdate(decoder, source.webP, source.bytes.count)
    var (rows, width, height, stride) = (Int32(0), Int32(0), Int32(0), Int32(0))
    guard WebPIDecGetRGB(decoder, &rows, &width, &height, &stride) != nil, rows > 0 else {
      throw damage
    }
    for pixel in (min(Int(rows), size.height) * size.width)..<(size.height * size.width) {
      for component in 0..<3 { output[pixel * 4 + component] = Raster.missing }
      output[pixel * 4 + 3] = 255
    }
  }
}

extension ImageSource {
  fileprivate var webP: UnsafePointer<UInt8>? {
    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
  }
}

private func checkWebP(_ status: VP8StatusCode) throws(RenderError) {
  switch status {
  case VP8_STATUS_OK: return
  case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
    throw .truncated(.webp)
  case VP8_STATUS_OUT_OF_MEMORY: throw .noMemory(.webp)
  case VP8_STATUS_UNSUPPORTED_FEATURE:
    throw .unsupported(.webp, "uses a feature that libwebp does not know")
  default: throw .damaged(.webp)
  }
}
