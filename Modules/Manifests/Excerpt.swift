import Models

/// Makes untrusted text safe and short enough for a message.
enum Excerpt {
  /// The maximum length of a sentence in Unicode scalars.
  static let sentenceLength = 300
  /// The maximum length of a quotation within a sentence, in Unicode scalars.
  static let quotationLength = 80
  /// The maximum length of what a server says about an error, in Unicode scalars: it may be all that explains it.
  static let errorLength = 200

  /// Escapes control and direction characters, truncates long text, and masks credentials in URLs.
  static func sentence(_ text: String) -> String {
    escape(CredentialMask.masked(text), limit: sentenceLength)
  }

  /// Returns the text in quotation marks.
  static func quote(_ text: String, limit: Int = quotationLength) -> String {
    "\"" + escape(CredentialMask.masked(text), limit: limit) + "\""
  }

  /// Returns a URL in quotation marks without its secret parts: credentials and query.
  static func quote(url text: String) -> String {
    let end = text.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    var visible = text[..<(end ?? text.endIndex)]
    var prefix = ""
    if let at = visible.utf8.lastIndex(of: UInt8(ascii: "@")) {
      let scheme = ["http://", "https://"].first { text.hasPrefix($0) } ?? ""
      prefix = scheme + "…"
      visible = visible[at...]
    }
    return quote(prefix + visible + (end == nil ? "" : "?…"))
  }

  private static func escape(_ text: String, limit: Int) -> String {
    if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
    var output = ""
    // The limit counts scalars, because a character may have any number of combining marks.
    for (count, scalar) in text.unicodeScalars.enumerated() {
      if count == limit { return output + "…" }
      if mustEscape(scalar) {
        output += scalar == "\n" ? "\\n" : "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// Whether the character may control a terminal or change the direction of the text around it.
  static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7e: false
    case ..<0xa0: true
    case 0x061c, 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060, 0x2066...0x2069, 0xfeff: true
    default: false
    }
  }
}
