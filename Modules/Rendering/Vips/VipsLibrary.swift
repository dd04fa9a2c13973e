import CVips
import Rendering

/// libvips and the glib that comes with it, opened and set up once: one thread, no cache, no loader that its authors do not trust.
///
/// libvips sets up global state: a process must do it once, whichever thread comes first.
struct VipsLibrary: Sendable {
  private static let opened = Result { () throws(RenderError) in try VipsLibrary() }

  /// - Throws: `.unsupported` where the library is not installed.
  static func shared() throws(RenderError) -> VipsLibrary { try opened.get() }

  let functions: imgdl_vips

  private init() throws(RenderError) {
    var functions = imgdl_vips()
    if let message = imgdl_vips_open(&functions) {
      throw RenderError(
        .unsupported, escaping: "libvips cannot be opened: \(String(cString: message))")
    }
    self.functions = functions
    guard functions.vips_init("imgdl-render") == 0 else { throw failure }
    functions.vips_block_untrusted_set(1)
    functions.vips_concurrency_set(1)
    functions.vips_cache_set_max(0)
    // Code made at run time needs memory that can be executed, which a confined worker has not.
    functions.vips_vector_set_enabled(0)
  }

  /// What the library complained about last.
  var failure: RenderError {
    let text = functions.vips_error_buffer().map { String(cString: $0) } ?? ""
    functions.vips_error_clear()
    // One line for each library that had a say, the innermost first.
    let message =
      text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason given"
    let lowered = text.lowercased()
    if lowered.contains("not in a known format") || lowered.contains("operation is blocked") {
      // It went on to a loader that is blocked, such as ImageMagick's.
      return RenderError(.unsupported, "libvips has no safe loader for this file")
    }
    let isCut = ["truncated", "premature", "end of file", "end of data", "not enough data"].contains
    {
      lowered.contains($0)
    }
    return RenderError(isCut ? .truncated : .damaged, escaping: message)
  }
}
