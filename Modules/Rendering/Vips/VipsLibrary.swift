import CVips
import Decoding
import Models
import Rendering

/// libvips and its glib, opened and configured once: one thread, no cache, and untrusted loaders blocked.
///
/// libvips has global state, so a process must initialise it only once, whichever thread is first.
struct VipsLibrary: Sendable {
  private static let opened = Result { () throws(RenderError) in try VipsLibrary() }

  /// - Throws: `.unsupported` if the library is not installed.
  static func shared() throws(RenderError) -> VipsLibrary { try opened.get() }

  let functions: imgdl_vips

  private init() throws(RenderError) {
    var functions = imgdl_vips()
    if let message = imgdl_vips_open(&functions) {
      throw RenderError(
        .unsupported, escaping: "libvips cannot be opened: \(String(cString: message))")
    }
    self.functions = functions
    imgdl_vips_discard_log(&functions)
    guard functions.vips_init("imgdl-render") == 0 else {
      throw RenderError(.unsupported, "libvips cannot be started")
    }
    JPEGSurvey.prepare()
    TIFFDecoder.prepare()
    functions.vips_block_untrusted_set(1)
    // Workers are confined, and no other decoder supports these two formats.
    allow("VipsForeignLoadJxl")
    allow("VipsForeignLoadJp2k")
    functions.vips_concurrency_set(1)
    functions.vips_cache_set_max(0)
    // Code generated at run time needs executable memory, which a confined worker cannot map.
    functions.vips_vector_set_enabled(0)
  }

  /// Unblocks a loader that is blocked as untrusted, together with its subclasses.
  func allow(_ loader: StaticString) {
    loader.withUTF8Buffer { name in
      name.withMemoryRebound(to: CChar.self) {
        functions.vips_operation_block_set($0.baseAddress, 0)
      }
    }
  }

  /// Returns the message without the error numbers of libxml2 that librsvg puts before it: `glib: XML parse
  /// error: Error domain 1 code 77 on line 1 column 151 of data: …`.
  private static func withoutNumbers(_ words: Substring) -> String {
    guard let start = words.firstRange(of: "Error domain "),
      let end = words[start.upperBound...].firstRange(of: " on line ")
    else { return String(words) }
    return "line " + words[end.upperBound...]
  }

  /// Converts the last error of libvips to an error about a file of this format, and clears the error buffer.
  func failure(_ format: ResourceFormat) -> RenderError {
    let text = functions.vips_error_buffer().map { String(cString: $0) } ?? ""
    functions.vips_error_clear()
    // The buffer has one line for each library involved, the innermost first.
    let words = text.split(whereSeparator: \.isNewline).first.map { Self.withoutNumbers($0) }
    let lowered = text.lowercased()
    func says(_ parts: String...) -> Bool { parts.contains { lowered.contains($0) } }
    if says("not in a known format", "operation is blocked") {
      // libvips fell back to a loader that is blocked, such as ImageMagick's.
      return .unsupported(format, "has no decoder that is safe for files from the network")
    }
    if format == .jpeg, let kind = JPEGKind.unsupported(text) {
      return .unsupported(format, kind, words)
    }
    if says("out of memory") { return .noMemory(format) }
    if says(
      "not supported", "unsupported", "not implemented", "cannot handle",
      "not compiled in")
    {
      return .unsupported(format, "is of a kind that imgdl does not support", words)
    }
    let isCut = says("truncated", "premature", "end of file", "end of data", "not enough data")
    return isCut ? .truncated(format) : .damaged(format, words)
  }
}
