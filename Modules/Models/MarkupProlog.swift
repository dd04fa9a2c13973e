/// What stands before the first element of an XML file: declaration, comments, processing instructions, and a
/// `DOCTYPE` with an internal subset (XML 1.0, section 2.8). Licences and entities make it long.
struct MarkupProlog {
  /// The name of the first element without its prefix; nil if the bytes end before it, or hold none.
  private(set) var root: String?
  /// The bytes end within what may stand before the first element.
  private(set) var isOpen = false

  private var rest: ArraySlice<UInt8>

  /// Total; goes over the bytes once.
  init(_ bytes: [UInt8]) {
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

  private func starts(_ text: String) -> Bool { rest.starts(with: text.utf8) }

  /// - Returns: whether it is there.
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

  /// Brackets and angles count outside of quotes, comments and instructions only.
  /// - Returns: whether it ends.
  private mutating func skipDocumentType() -> Bool {
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
    let name = rest.dropFirst().prefix { byte in
      byte > 0x20 && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "/")
    }
    // Within the name nothing is known yet.
    guard 1 + name.count < rest.count else {
      isOpen = name.count < 100
      return
    }
    root = name.split(separator: UInt8(ascii: ":")).last.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension ResourceFormat {
  /// How many leading bytes may stand before the first element of an SVG.
  public static let prologLimit = 64 << 10

  /// Whether more bytes than these, `prologLimit` at most, may tell that the file is an SVG.
  public static func hasOpenProlog(_ head: [UInt8]) -> Bool {
    head.count < prologLimit && ResourceFormat(head: Array(head.prefix(sniffLength))) == .text
      && MarkupProlog(head).isOpen
  }

  /// Of text of which more is there than is looked at as a rule: an SVG whose first element comes late.
  @usableFromInline
  static func isLateSVG(_ head: [UInt8]) -> Bool { MarkupProlog(head).root == "svg" }
}
