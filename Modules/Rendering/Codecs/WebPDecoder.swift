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
    try check(WebPGetFeatures(source.webP, source.bytes.count, &features))
    size = PixelSize(width: Int(features.width), height: Int(features.height))
    chunks = WebPChunks(ByteView(source.bytes))
    try source.limits.check(frames: chunks.frames, width: size.width, height: size.height)
    hasAlpha = features.has_alpha != 0
    let upright = chunks.orientation.upright(size)
    info = DocumentInfo(
      format: .webp, width: upright.width, height: upright.height, hasAlpha: hasAlpha,
      isAnimated: features.has_animation != 0)
    self.source = source
  }

  func decode(side: Int) throws(RenderError) -> DecodedPage {
    guard !info.isAnimated else {
      throw RenderError(.unsupported, "the WebP is animated")
    }
    guard chunks.isSRGB else {
      throw RenderError(.unsupported, "the WebP has a colour profile other than sRGB")
    }
    var configuration = WebPDecoderConfig()
    guard WebPInitDecoderConfig(&configuration) != 0 else {
      throw RenderError(.io, "libwebp: wrong version")
    }
    // The codec's own scaling, a mean of pixels, saves the memory of a large picture; twice the
    // size wanted is left to the good filter.
    let decoded = size.fitting(side.multipliedReportingOverflow(by: 2).partialValue)
    if decoded != size {
      configuration.options.use_scaling = 1
      configuration.options.scaled_width = Int32(clamping: decoded.width)
      configuration.options.scaled_height = Int32(clamping: decoded.height)
    }
    var bytes = [UInt8](uninitialised: decoded.width * decoded.height * 4)
    configuration.output.colorspace = MODE_rgbA
    configuration.output.is_external_memory = 1
    let status = bytes.withUnsafeMutableBufferPointer { output in
      configuration.output.u.RGBA.rgba = output.baseAddress
      configuration.output.u.RGBA.stride = Int32(clamping: decoded.width * 4)
      configuration.output.u.RGBA.size = output.count
      return WebPDecode(source.webP, source.bytes.count, &configuration)
    }
    try check(status)
    let plane = Plane(width: decoded.width, height: decoded.height, pixelSize: 4, bytes: bytes)
    return DecodedPage(
      info: info, raster: Raster(layout: .rgba(isOpaque: !hasAlpha), planes: [plane]),
      orientation: chunks.orientation)
  }
}

extension ImageSource {
  fileprivate var webP: UnsafePointer<UInt8>? {
    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
  }
}

private func check(_ status: VP8StatusCode) throws(RenderError) {
  switch status {
  case VP8_STATUS_OK: return
  case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
    throw RenderError(.truncated, "truncated WebP: the file ends too early")
  case VP8_STATUS_OUT_OF_MEMORY: throw RenderError(.io, "libwebp: no memory")
  case VP8_STATUS_UNSUPPORTED_FEATURE:
    throw RenderError(.unsupported, "the WebP uses a feature that libwebp does not know")
  default: throw RenderError(.damaged, "damaged WebP: the picture does not decode")
  }
}
