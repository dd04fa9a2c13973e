import Decoding

/// The CSS of an SVG that librsvg does not read. It makes colours that it does not know black, and ignores everything
/// else. The names are those that librsvg 2.54 was found not to read, and of which browsers draw something.
struct SVGStyle {
  /// The names, in the order in which they occur, each once.
  private(set) var unread: [String] = []
  /// Whether the file contains fonts, which librsvg does not use.
  private(set) var hasFonts = false

  private static let functions: Set<String> = [
    // Colours.
    "hwb", "oklch", "oklab", "lab", "lch", "color", "color-mix", "light-dark",
    // Values.
    "var", "env", "attr", "calc", "min", "max", "clamp",
    // Shapes of clip paths, and of `d`.
    "inset", "circle", "ellipse", "polygon", "path", "xywh",
  ]
  private static let selectors: Set<String> = ["is", "where", "has"]
  private static let rules: Set<String> = ["layer", "supports", "container", "scope"]
  private static let properties: Set<String> = [
    "transform-box", "transform-origin", "translate", "rotate", "scale", "offset-path",
  ]
  /// The attributes besides `style` whose values are those of CSS.
  private static let attributes: Set<String> = [
    "fill", "stroke", "stop-color", "flood-color", "lighting-color", "color", "clip-path", "mask",
    "opacity", "fill-opacity", "stroke-opacity", "stroke-width", "width", "height", "x", "y", "cx",
    "cy", "r", "rx", "ry",
  ]
  private static let maximumNameLength = 20

  // MARK: - Attributes

  /// Reads the value of an attribute.
  /// - Parameter isRoot: Whether the attribute is that of the root element, whose ground browsers draw.
  mutating func read(_ value: ByteView, of attribute: ByteView, isRoot: Bool) {
    if attribute.equals("style") {
      readDeclarations(value, isRoot: isRoot)
    } else if attribute.equals("transform-origin") {
      note("transform-origin", value)
    } else if value.firstIndex(of: UInt8(ascii: "("), from: 0) != nil,
      attribute.count <= Self.maximumNameLength, Self.attributes.contains(attribute.text)
    {
      readFunctions(value, Self.functions)
    }
  }

  private mutating func readDeclarations(_ text: ByteView, isRoot: Bool) {
    readFunctions(text, Self.functions)
    var start = 0
    while start < text.count {
      let end = text.firstIndex(of: UInt8(ascii: ";"), from: start) ?? text.count
      readDeclaration(text.slice(start, end - start), isRoot: isRoot)
      start = end + 1
    }
  }

  private mutating func readDeclaration(_ text: ByteView, isRoot: Bool) {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":"), from: 0) else { return }
    let name = Self.word(text.slice(0, colon))
    let value = text.slice(from: colon + 1)
    if Self.properties.contains(name) { note(name, value) }
    if isRoot, name == "background" || name == "background-color", !Self.isPaper(value) {
      add("\(name) of the root")
    }
  }

  /// Notes a property, unless its value is the one without an effect.
  private mutating func note(_ name: String, _ value: ByteView) {
    let words = Self.words(value)
    let isPlain = words.allSatisfy {
      ["0", "0px", "0%", "none", "view-box", "initial"].contains($0)
    }
    if !isPlain { add(name) }
  }

  /// Whether a ground looks as none does, since the page below is white.
  private static func isPaper(_ value: ByteView) -> Bool {
    [
      "none", "transparent", "white", "#fff", "#ffffff", "rgb(255,255,255)", "inherit", "initial",
      "unset", "",
    ].contains(words(value).joined())
  }

  // MARK: - Sheets

  /// Reads a style sheet.
  mutating func readSheet(_ text: ByteView) {
    // For each open block, whether it belongs to a rule that begins with `@`.
    var blocks: [Bool] = []
    var namesFont = false
    var statement = 0
    var offset = 0
    while let byte = text.byte(offset) {
      offset += 1
      switch byte {
      case UInt8(ascii: "/") where text.byte(offset) == UInt8(ascii: "*"):
        let isFirst = Self.word(text.slice(statement, offset - 1 - statement)).isEmpty
        offset = text.firstIndex(of: "*/", from: offset + 1).map { $0 + 2 } ?? text.count
        if isFirst { statement = offset }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        offset = text.firstIndex(of: byte, from: offset).map { $0 + 1 } ?? text.count
      case UInt8(ascii: "("):
        let name = Self.name(text, before: offset - 1)
        if name == "url" {
          offset = text.firstIndex(of: UInt8(ascii: ")"), from: offset).map { $0 + 1 } ?? text.count
        } else if Self.functions.contains(name) || Self.selectors.contains(name) {
          add("\(name)()")
        }
      case UInt8(ascii: "{"):
        let prelude = text.slice(statement, offset - 1 - statement)
        let isRule = Self.word(prelude).hasPrefix("@")
        if isRule {
          namesFont = readRule(prelude) || namesFont
        } else if blocks.last == false {
          add("nested rules")
        }
        if blocks.count < Self.maximumDepth { blocks.append(isRule) }
        statement = offset
      case UInt8(ascii: "}"), UInt8(ascii: ";"):
        if blocks.last == false {
          readDeclaration(text.slice(statement, offset - 1 - statement), isRoot: false)
        }
        if byte == UInt8(ascii: "}") { _ = blocks.popLast() }
        statement = offset
      default: break
      }
    }
    if namesFont, !hasFonts {
      hasFonts = text.contains("data:font") || text.contains("data:application")
    }
  }

  private static let maximumDepth = 64

  /// Reads the beginning of a rule, and returns whether the rule names a font.
  private mutating func readRule(_ prelude: ByteView) -> Bool {
    let words = Self.words(prelude)
    guard let first = words.first?.dropFirst() else { return false }
    let name = first.prefix { $0.isLetter || $0 == "-" }
    if Self.rules.contains(String(name)) {
      add("@\(name)")
    } else if name == "media", words.count == 2, ["all", "screen"].contains(words[1]) {
      // Other conditions are rather false for a picture, as those about dark colours and printers are.
      add("@media")
    }
    return name == "font-face"
  }

  // MARK: - Words

  private mutating func readFunctions(_ text: ByteView, _ names: Set<String>) {
    var offset = 0
    while let place = text.firstIndex(of: UInt8(ascii: "("), from: offset) {
      offset = place + 1
      let name = Self.name(text, before: place)
      if names.contains(name) { add("\(name)()") }
    }
  }

  private mutating func add(_ name: String) {
    if !unread.contains(name) { unread.append(name) }
  }

  /// Returns the name that ends before an offset, in lower case; empty if there is none, or a long one.
  private static func name(_ text: ByteView, before end: Int) -> String {
    var start = end
    while let byte = text.byte(start - 1), isNameByte(byte) {
      start -= 1
      if end - start > maximumNameLength { return "" }
    }
    return text.slice(start, end - start).text.lowercased()
  }

  /// Returns the first word, in lower case; empty for a long one.
  private static func word(_ text: ByteView) -> String {
    var start = 0
    while let byte = text.byte(start), byte <= 0x20 { start += 1 }
    var end = start
    while let byte = text.byte(end), byte > 0x20 {
      end += 1
      if end - start > maximumNameLength { return "" }
    }
    return text.slice(start, end - start).text.lowercased()
  }

  /// Returns the words of a short text, in lower case.
  private static func words(_ text: ByteView) -> [String] {
    text.slice(0, 200).text.lowercased().split(whereSeparator: \.isWhitespace).map { String($0) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
