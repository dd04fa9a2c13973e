import CLibxml
public import Markup
import MarkupEncoding
public import MarkupExtraction
public import Models

/// Parses XML 1.0 with libxml2. Entities that a document declares are not used, nothing else is opened or
/// fetched, and namespaces need no declaration. Documents that libxml2 would parse for minutes because of their
/// attributes are refused (`AttributeScan`).
public struct LibxmlParser: MarkupParser {
  public init() {}

  public static var library: LibraryVersion {
    let digits = String(cString: imgdl_xml_version()).prefix { $0 >= "0" && $0 <= "9" }
    let number = Int(digits) ?? 0
    return LibraryVersion(
      "libxml2", "\(number / 10_000).\(number / 100 % 100).\(number % 100)",
      for: "feeds, sitemaps and other XML")
  }

  /// Loads what later needs files. A worker calls this before it loses the right to open files.
  public static func prepare() {
    xmlInitParser()
    TextConversion.prepare()
  }

  /// The number of bytes that are parsed before their events are reported.
  private static let chunk = 16 << 10

  /// - Throws: `MarkupError` with code `syntax` for a document that is not well-formed; the description names
  ///   the line. The events before the error are reported.
  public func parse(
    _ bytes: UnsafeRawBufferPointer, charset: String?, limits: MarkupLimits,
    handler: (MarkupEvent) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    let converted = XMLText.utf8(bytes, charset: charset)
    try TextConversion.withBytes(converted, of: bytes) { (text) throws(MarkupError) in
      try parse(utf8: text, limits, handler)
    }
  }

  private func parse(
    utf8 document: UnsafeRawBufferPointer, _ limits: MarkupLimits,
    _ handler: (MarkupEvent) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    // White space before the declaration is an error in XML, and frequent.
    let space = document.prefix { $0 <= 0x20 }
    let skippedLines = space.count { $0 == 0x0a }
    let text = UnsafeRawBufferPointer(rebasing: document[space.endIndex...])
    if let refusal = AttributeScan.refusal(of: text) { throw refusal }
    let events = XMLEvents(limits: limits)
    try withExtendedLifetime(events) { () throws(MarkupError) in
      let context = Unmanaged.passUnretained(events).toOpaque()
      guard let reader = imgdl_xml_open(context, XMLEvents.receivers) else {
        throw MarkupError.outOfMemory
      }
      defer { imgdl_xml_close(reader) }
      var start = 0
      var isOver = false
      while !isOver {
        // The end follows the last bytes in a call of its own: an error there is that of a document that is cut off.
        isOver = start == text.count
        let end = min(start + Self.chunk, text.count)
        let part = UnsafeRawBufferPointer(rebasing: text[start..<end])
        let isSound = imgdl_xml_parse(
          reader, part.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(part.count),
          isOver)
        // The tag of an element with an error directly after it may be incomplete.
        for event in events.takeEvents(withLastStart: isSound) { try handler(event) }
        if events.isTooDeep {
          throw MarkupError(
            .limit,
            "the elements in line \(Int(imgdl_xml_line(reader)) + skippedLines) are nested more than "
              + "\(limits.depth) deep")
        }
        guard isSound else {
          throw Self.error(
            reader.pointee, skippedLines, openAtEnd: isOver ? events.openElement : nil)
        }
        start = end
      }
    }
  }

  /// The largest length of the name of an element in a message, in characters.
  private static let nameLength = 80

  /// - Parameter openAtEnd: The name of the innermost element in which the document ends; nil if the error is another
  ///   one. The library's message would then name something that follows from the end.
  private static func error(
    _ reader: imgdl_xml_reader, _ skippedLines: Int, openAtEnd: String?
  ) -> MarkupError {
    if reader.error == imgdl_xml_memory_error() {
      return .outOfMemory
    }
    let line = Int(reader.line) + skippedLines
    if let openAtEnd {
      return MarkupError(
        .syntax,
        "the XML is not well-formed in line \(line): the document ends early, inside of the element "
          + "<\(openAtEnd.prefix(nameLength))>", isTruncation: true)
    }
    let message = withUnsafeBytes(of: reader.message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 && $0 != 0x0a }, as: UTF8.self)
    }
    if reader.error == imgdl_xml_undeclared_entity_error() {
      return MarkupError(
        .syntax,
        "the XML cannot be read in line \(line): \(message); imgdl does not use entities that a document "
          + "declares, only those of XML and HTML")
    }
    return MarkupError(
      .syntax,
      "the XML is not well-formed in line \(line)" + (message.isEmpty ? "" : ": \(message)"))
  }
}
