import Decoding
import Models
import Rendering
import RenderingCodecs
import RenderingPoppler
import RenderingVips

/// The decoders of this program, made when the first file needs them: libvips alone takes 40 ms.
final class DecoderSet {
  private enum Kind: String, CaseIterable {
    case codecs, vips, poppler

    /// The decoders to ask, in that order.
    static func order(for format: ResourceFormat) -> [Kind] {
      switch format {
      case .jpeg, .png, .webp: [.codecs, .vips]
      case .bmp: [.codecs]
      case .gif, .tiff, .heif, .avif: [.vips]
      case .pdf: [.poppler]
      default: []
      }
    }
  }

  private var made: [Kind: any ImageDecoder] = [:]

  /// Asks one decoder after the other until one takes the file.
  /// - Parameter choice: `auto`, or the name of the only decoder to ask where it knows the format.
  func first<Answer>(
    for format: ResourceFormat, choice: String,
    _ ask: (any ImageDecoder) throws(RenderError) -> Answer
  ) throws(RenderError) -> Answer {
    var refusal = RenderError(.unsupported, "no preview (\(format.mediaType))")
    for kind in try kinds(for: format, choice: choice) {
      do throws(RenderError) {
        return try ask(try decoder(kind))
      } catch  where error.code == .unsupported {
        refusal = error
      } catch {
        throw error
      }
    }
    throw refusal
  }

  private func kinds(for format: ResourceFormat, choice: String) throws(RenderError) -> [Kind] {
    if let forced = Kind(rawValue: choice), try decoder(forced).formats.contains(format) {
      return [forced]
    }
    return Kind.order(for: format)
  }

  private func decoder(_ kind: Kind) throws(RenderError) -> any ImageDecoder {
    if let known = made[kind] { return known }
    let decoder: any ImageDecoder =
      switch kind {
      case .codecs: try CodecsDecoder()
      case .vips: try VipsDecoder()
      case .poppler: try PopplerDecoder()
      }
    made[kind] = decoder
    return decoder
  }
}
