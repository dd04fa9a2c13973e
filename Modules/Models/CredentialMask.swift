/// Masks user names and passwords in URLs (RFC 3986 §3.2.1) before a text is shown.
///
/// All messages, log lines, events and output for users pass through this one function, since a URL with
/// credentials may occur in the middle of any sentence: on a command line, in a list, in a redirect.
/// Credentials that the program needs (proxies) are never parsed from a masked text.
public enum CredentialMask {
  /// The text that replaces user name and password: `http://***@host/`.
  public static let placeholder = "***"

  /// Returns the text with `//user:password@host` replaced by `//***@host`. O(length); a text without `@` is
  /// returned unchanged.
  ///
  /// A password with an unencoded `/` or space is masked as well, if the text before that character is not a
  /// host with a port. Malformed URLs count as URLs: slashes may be missing or be backslashes, and
  /// `user:password@host` is recognized at the beginning of a word.
  public static func masked(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var hasMasked = false
    var index = 0
    var word = Word(bytes, from: 0)
    while index < bytes.count {
      if index >= word.end { word = Word(bytes, from: index) }
      if let at = endOfBareCredentials(bytes, from: index, in: word) {
        output += placeholder.utf8
        hasMasked = true
        index = at
        continue
      }
      guard let length = authorityPrefixLength(at: index, in: bytes) else {
        output.append(bytes[index])
        index += 1
        continue
      }
      output += bytes[index..<(index + length)]
      index += length
      if index >= word.end { word = Word(bytes, from: index) }
      if let at = endOfCredentials(bytes, from: index, in: word) {
        output += placeholder.utf8
        hasMasked = true
        index = at
      }
    }
    return hasMasked ? String(decoding: output, as: UTF8.self) : text
  }

  /// A run of bytes without spaces, which is scanned only once, however many URLs it contains, to keep
  /// masking O(length).
  private struct Word {
    let end: Int
    let lastAt: Int?

    init(_ bytes: [UInt8], from start: Int) {
      end = bytes[start...].firstIndex { $0 <= 0x20 } ?? bytes.count
      lastAt = bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
    }
  }

  /// Returns the number of bytes at `index` that introduce the authority of a URL, or nil if there are none:
  /// `http:` or `https:` with all slashes and backslashes after it, or `//` after a colon or at the beginning
  /// of a word. Any other `//` may be a part of a path.
  private static func authorityPrefixLength(at index: Int, in bytes: [UInt8]) -> Int? {
    if let length = webScheme(at: index, in: bytes) {
      return length + bytes[(index + length)...].prefix(while: isSlash).count
    }
    guard bytes[index...].starts(with: "//".utf8) else { return nil }
    return index == 0 || opensWord(behind: bytes[index - 1])
      || bytes[index - 1] == UInt8(ascii: ":")
      ? 2 : nil
  }

  /// The length of `http:` or `https:`, in letters of any case.
  private static func webScheme(at index: Int, in bytes: [UInt8]) -> Int? {
    guard bytes[index] | 0x20 == UInt8(ascii: "h") else { return nil }
    return ["https:", "http:"].first { scheme in
      bytes[index...].prefix(scheme.utf8.count).map { $0 == UInt8(ascii: ":") ? $0 : $0 | 0x20 }
        .elementsEqual(scheme.utf8)
    }?.utf8.count
  }

  private static func isSlash(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }

  /// Whether a URL may begin directly after `byte`: white space, a quotation mark, a bracket, `=` or `,`.
  private static func opensWord(behind byte: UInt8) -> Bool {
    byte <= 0x20 || "\"'<([=,".utf8.contains(byte)
  }

  /// - Returns: The offset of the `@` if `user:password@host` without a scheme begins at `start`, or nil.
  private static func endOfBareCredentials(
    _ bytes: [UInt8], from start: Int, in word: Word
  ) -> Int? {
    guard let lastAt = word.lastAt, lastAt > start, lastAt + 1 < word.end,
      start == 0 || opensWord(behind: bytes[start - 1])
    else { return nil }
    // The user name ends at the colon. A URL with a scheme is left to `endOfCredentials`.
    let user = bytes[start..<lastAt].prefix(longestPassword).prefix { byte in
      byte != UInt8(ascii: ":") && !isEndOfAuthority(byte) && !opensWord(behind: byte)
    }
    let colon = start + user.count
    guard colon < lastAt, bytes[colon] == UInt8(ascii: ":"), !isSlash(bytes[colon + 1]),
      webScheme(at: start, in: bytes) == nil
    else { return nil }
    // The search is bounded, because each comma of a long word may start another search of the same bytes.
    let authority = bytes[colon..<word.end].prefix(longestPassword).prefix { !isEndOfAuthority($0) }
    return authority.lastIndex(of: UInt8(ascii: "@"))
  }

  /// - Parameter start: The offset after the slashes.
  /// - Returns: The offset of the `@` before the host, or nil if there are no credentials.
  private static func endOfCredentials(_ bytes: [UInt8], from start: Int, in word: Word) -> Int? {
    let end = bytes[start..<word.end].firstIndex(where: isEndOfAuthority) ?? word.end
    let authority = bytes[start..<end]
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) { return at }
    guard authority.first != UInt8(ascii: "["),
      let colon = authority.firstIndex(of: UInt8(ascii: ":")),
      !authority[(colon + 1)...].allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    if let lastAt = word.lastAt, lastAt >= start { return lastAt }
    return end == word.end ? endBehindSpace(bytes, from: end) : nil
  }

  /// Returns the offset of the next `@` of the line after the end of the word, because a password may contain
  /// a space and the next `@` then precedes the host.
  private static func endBehindSpace(_ bytes: [UInt8], from end: Int) -> Int? {
    let line = bytes[end...].prefix(longestPassword).prefix { $0 != 0x0a }
    return line.firstIndex(of: UInt8(ascii: "@"))
  }

  /// The maximum number of bytes that are searched for the end of a user name or password.
  private static let longestPassword = 1_024

  private static func isEndOfAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }
}
