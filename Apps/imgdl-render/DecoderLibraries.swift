import Decoding
import Models
import Rendering
import RenderingCodecs
import RenderingPoppler
import RenderingVips

/// The libraries that the decoders use, each with its problem if it cannot be used.
enum DecoderLibraries {
  static var all: [LibraryVersion] { codecs + vips + poppler }

  private static var codecs: [LibraryVersion] {
    report("codecs", "JPEG, PNG, WebP") { () throws(RenderError) in try CodecsDecoder() }
  }

  private static var vips: [LibraryVersion] {
    report("libvips", VipsDecoder.use) { () throws(RenderError) in try VipsDecoder() }
  }

  private static var poppler: [LibraryVersion] {
    report("poppler", PopplerDecoder.use) { () throws(RenderError) in try PopplerDecoder() }
  }

  private static func report(
    _ name: String, _ use: String, _ make: () throws(RenderError) -> any ImageDecoder
  ) -> [LibraryVersion] {
    do throws(RenderError) {
      return try make().libraries
    } catch {
      return [LibraryVersion(name, nil, for: use, problem: error.detail)]
    }
  }
}
