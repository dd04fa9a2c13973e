import Markup

/// Estimates the work of gumbo for an HTML document, in one pass over its bytes.
///
/// At each tag of a block, gumbo searches the open elements for a paragraph to close. Its time therefore grows with
/// the number of blocks times their depth, and a document of start tags would take minutes. gumbo also compares each
/// attribute of a tag with all before it. Such documents are found before they are parsed.
struct TagScan {
  /// The number of compared elements and attributes, about ten seconds' work, from which a document is not parsed.
  static let maximumWork = 1 << 31

  /// The size in bytes of the smallest document with so much work: each of its tags, and most of its attributes
  /// with the space before them, have at least three bytes.
  private static let minimumBytes = 3 * 65_536

  /// Elements at whose start tags the open elements are searched.
  private static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "dir", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5",
    "h6", "header", "hgroup", "hr", "li", "listing", "main", "menu", "nav", "ol", "p", "pre",
    "section", "summary", "table", "ul",
  ]
  /// Elements without an end tag, and those whose end tag may be omitted: they close each other.
  private static let unclosed: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr", "body", "caption", "colgroup", "dd", "dt", "head", "html", "li", "optgroup",
    "option", "p", "rp", "rt", "tbody", "td", "tfoot", "th", "thead", "tr",
  ]
  /// Elements whose content is text, in which tags have no meaning.
  private static let textual: Set<String> = [
    "iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp",
  ]
  /// The length in bytes of the longest name in the sets.
  private static let longestName = 10

  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  private var depth = 0
  /// The number of elements that gumbo compares.
  private var elementWork = 0
  /// The number of attributes that gumbo compares.
  private var attributeWork = 0

  /// Returns the reason not to parse a document for which gumbo would probably take too long.
  static func refusal(of bytes: UnsafeRawBufferPointer) -> MarkupError? {
    guard bytes.count >= minimumBytes else { return nil }
    var scan = TagScan(bytes: bytes)
    guard scan.run() else { return nil }
    return MarkupError(
      .limit,
      scan.attributeWork > scan.elementWork
        ? "the tags of the document have too many attributes to be read"
        : "the elements of the document are nested too deeply to be read")
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// - Returns: Whether the work is too much.
  private mutating func run() -> Bool {
    while find(UInt8(ascii: "<")), place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "!"): skipComment()
      case UInt8(ascii: "/"):
        place += 1
        close()
      default: open()
      }
      if elementWork &+ attributeWork > Self.maximumWork { return true }
    }
    return false
  }

  /// Handles a start tag, whose name begins at the current place.
  private mutating func open() {
    guard let name = name() else { return }
    guard skipAttributes() else { return }
    guard !Self.textual.contains(name) else { return skipText(of: name) }
    if Self.blocks.contains(name) { elementWork &+= depth }
    guard !Self.unclosed.contains(name) else { return }
    // Elements of SVG and MathML end so.
    if bytes[place - 2] != UInt8(ascii: "/") { depth += 1 }
  }

  /// Handles an end tag, whose name begins at the current place.
  private mutating func close() {
    guard let name = name() else { return }
    if !Self.unclosed.contains(name) { depth = max(0, depth - 1) }
    _ = skipAttributes()
  }

  /// Moves behind the end of a tag, and counts its attributes.
  /// - Returns: Whether the tag has an end.
  private mutating func skipAttributes() -> Bool {
    var count = 0
    defer { attributeWork &+= count * (count - 1) / 2 }
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: ">"):
        place += 1
        return true
      case 0...0x20, UInt8(ascii: "/"): place += 1
      default:
        count += 1
        skipAttribute()
      }
    }
    return false
  }

  /// Moves behind an attribute, whose value may contain any characters if it is in quotation marks.
  private mutating func skipAttribute() {
    // The first character belongs to the name, also "=".
    place += 1
    skip { $0 > 0x20 && !"=/>".utf8.contains($0) }
    skip { $0 <= 0x20 }
    guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { return }
    place += 1
    skip { $0 <= 0x20 }
    guard place < bytes.count else { return }
    if case let quote = bytes[place], "\"'".utf8.contains(quote) {
      place += 1
      _ = find(quote)
    } else {
      skip { $0 > 0x20 && $0 != UInt8(ascii: ">") }
    }
  }

  private mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while place < bytes.count, isSkipped(bytes[place]) { place += 1 }
  }

  /// Moves behind the next byte of this value; false if there is none.
  private mutating func find(_ byte: UInt8) -> Bool {
    guard let found = bytes[place...].firstIndex(of: byte) else {
      place = bytes.count
      return false
    }
    place = found + 1
    return true
  }

  /// Reads the name of a tag in lower case, cut off after ``longestName`` bytes; nil if no letter begins it.
  private mutating func name() -> String? {
    var name: [UInt8] = []
    while place < bytes.count, name.count <= Self.longestName {
      let byte = bytes[place] | 0x20
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      guard isLetter || !name.isEmpty && (0x30...0x39).contains(byte) else { break }
      name.append(byte)
      place += 1
    }
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }

  private mutating func skipComment() {
    guard bytes[place...].starts(with: "!--".utf8) else { return }
    while find(UInt8(ascii: "-")) {
      if bytes[place...].starts(with: "->".utf8) { return }
    }
  }

  /// Moves to the end tag of an element whose content is text.
  private mutating func skipText(of element: String) {
    while find(UInt8(ascii: "<")) {
      guard place < bytes.count, bytes[place] == UInt8(ascii: "/") else { continue }
      let start = place
      place += 1
      if name() == element { return }
      place = start
    }
  }
}
