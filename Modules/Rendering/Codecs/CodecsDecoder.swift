import CSpng
import CTurboJPEG
import CWebP
public import Decoding
public import Models
public import Rendering

/// Decodes the most frequent formats with the fastest libraries: JPEG with libjpeg-turbo, PNG with spng, WebP
/// with libwebp; BMP, TGA, ICO, PNM and Radiance with code of this module. Files that need colour management and animated
/// WebP are `.unsupported` here, so that the next decoder is tried.
public final class CodecsDecoder: ImageDecoder {
  private let jpeg: JPEGDecoder

  /// - Throws: `.io` if memory cannot be allocated.
  public init() throws(RenderError) {
    jpeg = try JPEGDecoder()
    JPEGSurvey.prepare()
  }

  public var libraries: [LibraryVersion] {
    let webP = WebPGetDecoderVersion()
    return [
      LibraryVersion("libjpeg-turbo", String(cString: imgdl_turbojpeg_version()), for: "JPEG"),
      LibraryVersion("spng", String(cString: spng_version_string()), for: "PNG"),
      LibraryVersion(
        "libwebp", "\(webP >> 16).\(webP >> 8 & 255).\(webP & 255)", for: "WebP"),
    ]
  }

  public func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo {
    switch source.format {
    case .jpeg: try jpeg.probe(source)
    case .png: try PNGRecovery.probe(source)
    case .webp: try WebPDecoder(source).info
    case .bmp: try BMPDecoder(source).info
    case .ico, .cur: try ICODecoder.probe(source)
    case .tga: try TGADecoder(source).info
    case .pnm: try PNMDecoder(source).info
    case .hdr: try RadianceDecoder(source).info
    default: throw .formatNotHandled(source.format)
    }
  }

  public func decode(
    _ source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
    guard page == 0 else { throw RenderError(.damaged, "an image has one page") }
    switch source.format {
    case .jpeg: return try jpeg.decode(source, side: side)
    case .png: return try PNGRecovery.decode(source, side: side)
    case .webp: return try WebPDecoder(source).decode(side: side)
    case .bmp: return try BMPDecoder(source).decode(side: side)
    case .ico, .cur: return try ICODecoder.decode(source, side: side)
    case .tga: return try TGADecoder(source).decode(side: side)
    case .pnm: return try PNMDecoder(source).decode(side: side)
    case .hdr: return try RadianceDecoder(source).decode(side: side)
    default: throw .formatNotHandled(source.format)
    }
  }
}

extension RenderError {
  static func formatNotHandled(_ format: ResourceFormat) -> RenderError {
    RenderError(.unsupported, "the codecs do not decode \(format.mediaType)")
  }
}
