import CGumbo
public import Markup
import MarkupEncoding
public import MarkupExtraction
public import Models

/// Parses HTML with gumbo, in the way of the HTML Standard: any bytes are a document.
///
/// Elements that are nested deeper than the limit become siblings, as in browsers. Documents that gumbo would parse
/// for minutes because of their depth or their attributes are refused (`TagScan`); the caller limits the time of the process, which
/// other documents exceed.
public struct GumboParser: MarkupParser {
  public init() {}

  /// The library gumbo, which has no function that reports its version.
  public static var library: LibraryVersion {
    LibraryVersion("gumbo", "installed", for: "web pages")
  }

  /// Loads the tables of character encodings. A worker calls this before it loses the right to open files.
  public static func prepare() { TextConversion.prepare() }

  public func parse(
    _ bytes: UnsafeRawBufferPointer, charset: String?, limits: MarkupLimits,
    handler: (MarkupEvent) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    let converted = TextConversion.utf8(bytes, charset: charset)
    try TextConversion.withBytes(converted, of: bytes) { (text) throws(MarkupError) in
      try parse(utf8: text, limits, handler)
    }
  }

  private func parse(
    utf8 text: UnsafeRawBufferPointer, _ limits: MarkupLimits,
    _ handler: (MarkupEvent) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    if let refusal = TagScan.refusal(of: text) { throw refusal }
    // gumbo reads the pointer even if the length is 0.
    let empty: StaticString = ""
    let start = text.baseAddress ?? UnsafeRawPointer(empty.utf8Start)
    guard
      let output = imgdl_gumbo_parse(start.assumingMemoryBound(to: CChar.self), text.count)
    else { throw MarkupError.outOfMemory }
    defer { imgdl_gumbo_destroy(output) }
    var walk = TreeWalk(limits: limits)
    try walk.run(output.pointee.document, handler)
  }
}
