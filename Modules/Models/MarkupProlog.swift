/// The part of an XML file before its first element: declaration, comments, processing instructions, and a
/// `DOCTYPE` with an internal subset (XML 1.0, section 2.8). Licences and entities can make the prolog long.
package struct MarkupProlog {
  /// The name of the first element without its prefix, or nil if the bytes end before it or contain none.
  package private(set) var root: String?
  /// Whether the bytes end within the prolog, so that more bytes are needed.
  package private(set) var isOpen = false
  /// The name of the first element without its prefix as the document type declaration states it, which need not be
  /// right; nil without a declaration.
  package private(set) var documentType: String?
  /// The bytes from the first element on, which may be incomplete, or nil if the bytes end before it.
  package private(set) var elements: ArraySlice<UInt8>?

  private var rest: ArraySlice<UInt8>

  /// The length in bytes at which an element's name, prefix included, is too long to be `svg` or `html`.
  private static let nameLimit = 100

  /// Scans the bytes once; accepts any input.
  package init(_ bytes: [UInt8]) {
    rest = bytes[...]
    if starts("\u{feff}") { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
      if rest.isEmpty || rest.count < 9 && "<!DOCTYPE".utf8.starts(with: rest) {
        isOpen = true
        return
      }
      let isOver: Bool
      if starts("<?") {
        isOver = skip(past: "?>")
      } else if starts("<!--") {
        rest = rest.dropFirst(4)
        isOver = skip(past: "-->")
      } else if starts("<!DOCTYPE") || starts("<!doctype") {
        isOver = skipDocumentType()
      } else {
        readElement()
        return
      }
      guard isOver else {
        isOpen = true
        return
      }
    }
  }

  /// Whether the file has a document type declaration for HTML.
  package var isTypedHTML: Bool { documentType?.lowercased() == "html" }

  private func starts(_ text: String) -> Bool { rest.starts(with: text.utf8) }

  /// Skips everything up to the end of `text`.
  /// - Returns: Whether `text` was found.
  private mutating func skip(past text: String) -> Bool {
    let text = Array(text.utf8)
    while let place = rest.firstIndex(of: text[0]) {
      rest = rest[place...]
      if rest.starts(with: text) {
        rest = rest.dropFirst(text.count)
        return true
      }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Skips a document type declaration. Brackets and angle brackets count only outside quotes, comments and
  /// processing instructions.
  /// - Returns: Whether the end was found.
  private mutating func skipDocumentType() -> Bool {
    let name = rest.dropFirst(9).drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
      .prefix(Self.nameLimit).prefix { $0 > 0x20 && !">[".utf8.contains($0) }
    // A name that ends with the bytes may be incomplete.
    if name.endIndex < rest.endIndex {
      documentType = name.split(separator: UInt8(ascii: ":")).last
        .map { String(decoding: $0, as: UTF8.self) }
    }
    rest = rest.dropFirst(2)
    var isInSubset = false
    while let byte = rest.first {
      switch byte {
      case _ where starts("<!--"):
        rest = rest.dropFirst(4)
        guard skip(past: "-->") else { return false }
        continue
      case _ where starts("<?"):
        guard skip(past: "?>") else { return false }
        continue
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let end = rest.dropFirst().firstIndex(of: byte) else { return false }
        rest = rest[end...]
      case UInt8(ascii: "["): isInSubset = true
      case UInt8(ascii: "]"): isInSubset = false
      case UInt8(ascii: ">") where !isInSubset:
        rest = rest.dropFirst()
        return true
      default: break
      }
      rest = rest.dropFirst()
    }
    return false
  }

  private mutating func readElement() {
    guard rest.first == UInt8(ascii: "<") else { return }
    elements = rest
    let name = rest.dropFirst().prefix { byte in
      byte > 0x20 && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "/")
    }
    // A name of this length is neither `svg` nor `html`, whether it is complete or not. Ignoring it makes the
    // format independent of the number of bytes read.
    guard name.count < Self.nameLimit else { return }
    // A name that ends with the bytes may be incomplete and is not compared.
    guard 1 + name.count < rest.count else {
      isOpen = true
      return
    }
    root = name.split(separator: UInt8(ascii: ":")).last.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension ResourceFormat {
  /// The maximum number of leading bytes that are searched for the first element of an SVG.
  public static let prologLimit = 64 << 10

  /// Whether more bytes than these, up to `prologLimit`, may reveal that the file is an SVG.
  public static func hasOpenProlog(_ head: [UInt8]) -> Bool {
    head.count < prologLimit && ResourceFormat(head: Array(head.prefix(sniffLength))) == .text
      && MarkupProlog(head).isOpen
  }

  /// Detects HTML or SVG from the document type or the first element, ignoring the contents of comments; nil
  /// for another vocabulary, or if the bytes end too early.
  @usableFromInline
  static func markup(_ bytes: [UInt8]) -> ResourceFormat? { markup(MarkupProlog(bytes)) }

  /// Detects HTML or SVG in the first bytes of a file, where other elements may precede the decisive one.
  static func beginningOfMarkup(_ bytes: [UInt8]) -> ResourceFormat? {
    let prolog = MarkupProlog(bytes)
    return markup(prolog) ?? prolog.elements.flatMap(firstNamed)
  }

  private static func markup(_ prolog: MarkupProlog) -> ResourceFormat? {
    if prolog.isTypedHTML { return .html }
    switch prolog.root?.lowercased() {
    case "svg": return .svg
    case "html", "head", "body": return .html
    default: return nil
    }
  }

  /// Returns `.html` or `.svg`, depending on whose element comes first in the text; nil if it has neither.
  private static func firstNamed(in elements: ArraySlice<UInt8>) -> ResourceFormat? {
    let text = String(decoding: elements, as: UTF8.self).lowercased()
    let html = ["<!doctype html", "<html", "<head", "<body"].compactMap { text.firstRange(of: $0) }
    let page = html.map(\.lowerBound).min()
    guard let picture = text.firstRange(of: "<svg")?.lowerBound else {
      return page == nil ? nil : .html
    }
    return page.map { $0 < picture } ?? false ? .html : .svg
  }
}
