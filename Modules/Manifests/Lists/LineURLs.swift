/// The URLs in one line of a text list: a URL that may have spaces in it, URLs in angle brackets (RFC 3986, appendix C),
/// several URLs with spaces between them, and a comment at the end. A value without input or output.
struct LineURLs {
  /// The texts of the URLs, in the order of the line; one that is no URL is left for the reader to report.
  private(set) var urls: [String] = []

  /// - Parameter line: The line up to its title, without white space at its ends, not empty. One that does not begin with
  ///   a URL is prose, or a relative URL, and remains as it is.
  init(_ line: String) {
    guard Self.beginsURL(line[...]) else {
      urls = [line]
      return
    }
    var rest = Substring(line)
    while !rest.isEmpty, rest.utf8.first != UInt8(ascii: "#") || urls.isEmpty {
      if rest.utf8.first == UInt8(ascii: "<") {
        guard let url = BracketedURL(rest) else {
          urls.append(String(rest))
          return
        }
        urls.append(url.text)
        rest = Self.afterSeparators(url.rest)
        // Words behind a URL in brackets describe it.
        guard Self.beginsURL(rest) else { return }
      } else {
        let end = Self.end(rest)
        urls.append(String(Self.withoutSpace(rest[..<end])))
        rest = Self.afterSeparators(rest[end...])
      }
    }
  }

  /// Returns the place of the first space behind which another URL or a comment begins; else the end.
  private static func end(_ text: Substring) -> Substring.Index {
    var place = text.startIndex
    while let space = text.utf8[place...].firstIndex(of: 0x20) {
      let next = text.utf8[space...].firstIndex { $0 != 0x20 } ?? text.endIndex
      let rest = text[next...]
      if rest.utf8.first == UInt8(ascii: "#") { return space }
      // The cells of a table are left to those who know its rows.
      let last = text.utf8[..<space].last ?? 0
      if beginsURL(rest), !",;|".utf8.contains(last) { return space }
      place = next
    }
    return text.endIndex
  }

  private static func beginsURL(_ text: Substring) -> Bool {
    BracketedURL.begins(text) || BracketedURL.hasWebScheme(text)
  }

  private static func afterSeparators(_ text: Substring) -> Substring {
    Substring(text.utf8.drop { $0 == 0x20 || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") })
  }

  private static func withoutSpace(_ text: Substring) -> Substring {
    var bytes = text.utf8
    while bytes.last == 0x20 { bytes.removeLast() }
    return Substring(bytes)
  }
}

/// A URL in angle brackets at the beginning of a text.
struct BracketedURL {
  let text: String
  /// What follows the closing bracket.
  let rest: Substring

  /// The result is nil if the text does not begin with such a URL.
  init?(_ text: some StringProtocol) {
    let text = Substring(text)
    guard let start = Self.start(text),
      let end = text.utf8[start...].firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    var url = text.utf8[start..<end]
    while url.last == 0x20 { url.removeLast() }
    self.text = String(Substring(url))
    rest = text[text.utf8.index(after: end)...]
  }

  /// Whether the text begins with the opening bracket and the scheme of a URL.
  static func begins(_ text: some StringProtocol) -> Bool { start(Substring(text)) != nil }

  static func hasWebScheme(_ text: Substring) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// Returns the place of the URL behind the bracket, and behind the prefix `URL:` that RFC 3986 mentions.
  private static func start(_ text: Substring) -> Substring.Index? {
    guard text.utf8.first == UInt8(ascii: "<") else { return nil }
    var rest = Substring(text.utf8.dropFirst().drop { $0 == 0x20 })
    if rest.prefix(4).lowercased() == "url:" {
      rest = Substring(rest.utf8.dropFirst(4).drop { $0 == 0x20 })
    }
    return hasWebScheme(rest) ? rest.startIndex : nil
  }
}
