import Decoding
import Models
import RenderMessages
import Rendering
import RenderingCodecs
import SystemCalls

/// Answers one question after the other.
final class RenderDesk {
  /// Pixels: what a JPEG can have.
  private static let maxSide = 65_500

  private let decoders = DecoderSet()
  private let encoder: PictureEncoder

  init() throws(RenderError) {
    encoder = try PictureEncoder()
  }

  func answer(_ request: RenderRequest, file: OwnedDescriptor?) -> RenderReply {
    do throws(RenderError) {
      guard let file else { throw RenderError(.io, "no file came with the question") }
      let contents = try FileBytes(file)
      let source = ImageSource(
        bytes: contents.bytes, format: ResourceFormat(sniffing: contents.bytes),
        limits: request.limits)
      let result = try withExtendedLifetime(contents) { () throws(RenderError) in
        try answer(request, source)
      }
      return .result(result)
    } catch {
      return .failure(RenderError(error.code, escaping: error.detail))
    }
  }

  private func answer(
    _ request: RenderRequest, _ source: ImageSource
  ) throws(RenderError) -> RenderResult {
    try decoders.first(for: source.format, choice: request.decoder) {
      (decoder) throws(RenderError) in
      switch request.operation {
      case .probe:
        return RenderResult(info: try decoder.probe(source), renditions: [])
      case .render(let page, let sides, let quality):
        guard page >= 0, let largest = sides.max(), largest <= Self.maxSide,
          (sides.min() ?? 0) > 0
        else { throw RenderError(.io, "a page or a size that cannot be") }
        let decoded = try decoder.decode(source, page: page, side: largest)
        return try encode(decoded, sides: sides, quality: quality)
      }
    }
  }

  /// Scales from one size to the next smaller one: each is one pass over the one before.
  private func encode(
    _ page: DecodedPage, sides: [Int], quality: Int
  ) throws(RenderError) -> RenderResult {
    // The page of a document comes in the size wanted, an image as it is stored.
    let full =
      page.info.format.kind == .document
      ? PixelSize(width: page.raster.width, height: page.raster.height)
      : PixelSize(width: page.info.width, height: page.info.height)
    var renditions: [Int: Rendition] = [:]
    var raster = page.raster
    var orientation = page.orientation
    for side in Set(sides).sorted(by: >) {
      raster = raster.scaled(to: full.fitting(side), orientation)
      orientation = .upright
      renditions[side] = try encoder.encode(raster, quality: quality)
    }
    return RenderResult(info: page.info, renditions: sides.compactMap { renditions[$0] })
  }
}
