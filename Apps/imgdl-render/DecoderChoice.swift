import Decoding
import RenderMessages
import Rendering
import RenderingCodecs
import RenderingPoppler
import RenderingVips

/// The decoder of a worker, with its libraries, glib among them, loaded: later it could not open them
/// any more.
enum DecoderChoice {
  static func make(_ profile: WorkerProfile) throws(RenderError) -> any ImageDecoder {
    CutAwareDecoder(try library(profile))
  }

  private static func library(_ profile: WorkerProfile) throws(RenderError) -> any ImageDecoder {
    switch profile {
    case .codecs: try CodecsDecoder()
    case .vips: try VipsDecoder()
    case .poppler: try PopplerDecoder()
    case .archives: throw RenderError(.unsupported, "a worker for archives draws nothing")
    case .svg: try VipsDecoder(.vectors)
    }
  }
}
