/// The texts of feeds, which may be HTML in the text of an element.
enum FeedText {
  /// The markup that a text may contain after its XML is parsed.
  enum Content: Sendable {
    case plain
    /// Entities are decoded, because RSS does not state whether a text is HTML, and most programs escape it.
    case escaped
    /// Tags are removed and entities decoded.
    case html

    /// The content of an element of Atom (RFC 4287 §3.1.1), or of Media RSS, with this `type`.
    init(type: String?) { self = type?.lowercased() == "html" ? .html : .plain }
  }

  /// Returns a text on one line; nil if nothing remains.
  static func plain(_ text: String, _ content: Content) -> String? {
    switch content {
    case .plain: Words.collapsed(text)
    case .escaped: Words.collapsed(decoded(text))
    case .html: Words.collapsed(decoded(withoutTags(text)))
    }
  }

  private static func withoutTags(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      result += rest[..<start]
      guard let end = rest[start...].firstIndex(of: ">") else { return result + rest[start...] }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static let entities: [Substring: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "hellip": "…",
    "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
  ]

  private static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      let name = rest[start...].dropFirst().prefix(12)
      if let end = name.firstIndex(of: ";"), let character = character(name[..<end]) {
        result += character
        rest = rest[rest.index(after: end)...]
      } else {
        result += "&"
        rest = rest[rest.index(after: start)...]
      }
    }
    return result + rest
  }

  private static func character(_ name: Substring) -> String? {
    if let known = entities[name] { return known }
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init).map { String($0) }
  }
}
