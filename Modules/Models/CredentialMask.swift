/// Hides user names and passwords that stand in URLs (RFC 3986 §3.2.1) before a text is shown.
///
/// Every message, log line, event and answer that people read passes through this one function, since a
/// URL with credentials may stand in the middle of any sentence: on a command line, in a list, in a
/// redirect. Credentials that the program needs (proxies) are never read back from a masked text.
public enum CredentialMask {
  /// The text that replaces user name and password: `http://***@host/`.
  public static let placeholder = "***"

  /// The text with `//user:password@host` as `//***@host`. O(length); a text without `@` is returned as it
  /// is.
  ///
  /// A password may hold a `/` that its writer did not encode; it is hidden as well if the text before
  /// that slash is no host with a port.
  public static func masked(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var hasMasked = false
    var index = 0
    var word = Word(bytes, from: 0)
    while index < bytes.count {
      let slashes = slashes(at: index, in: bytes)
      guard slashes > 0 else {
        output.append(bytes[index])
        index += 1
        continue
      }
      output += bytes[index..<(index + slashes)]
      index += slashes
      if index >= word.end { word = Word(bytes, from: index) }
      if let at = endOfCredentials(bytes, from: index, in: word) {
        output += placeholder.utf8
        hasMasked = true
        index = at
      }
    }
    return hasMasked ? String(decoding: output, as: UTF8.self) : text
  }

  /// A run of bytes without spaces. It is scanned once, however many URLs it contains, to keep masking
  /// O(length).
  private struct Word {
    let end: Int
    let lastAt: Int?

    init(_ bytes: [UInt8], from start: Int) {
      end = bytes[start...].firstIndex { $0 <= 0x20 } ?? bytes.count
      lastAt = bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
    }
  }

  /// How many slashes that begin the authority of a URL stand here, behind a scheme or at the beginning of a
  /// word: a path may hold two slashes as well. A URL that was taken for a path has lost one of them.
  private static func slashes(at index: Int, in bytes: [UInt8]) -> Int {
    guard bytes[index] == UInt8(ascii: "/") else { return 0 }
    guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") else {
      let before = bytes[max(0, index - 6)..<index]
      return ["http:", "https:"].contains { before.suffix($0.utf8.count).elementsEqual($0.utf8) }
        ? 1 : 0
    }
    guard index > 0 else { return 2 }
    let before = bytes[index - 1]
    return before <= 0x20 || ":\"'<([=,".utf8.contains(before) ? 2 : 0
  }

  /// - Parameter start: behind the slashes.
  /// - Returns: the place of the `@` before the host; nil if there are no credentials.
  private static func endOfCredentials(_ bytes: [UInt8], from start: Int, in word: Word) -> Int? {
    guard let lastAt = word.lastAt, lastAt >= start else { return nil }
    let end = bytes[start..<word.end].firstIndex(where: isEndOfAuthority) ?? word.end
    let authority = bytes[start..<end]
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) { return at }
    guard authority.first != UInt8(ascii: "["),
      let colon = authority.firstIndex(of: UInt8(ascii: ":")),
      !authority[(colon + 1)...].allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return lastAt
  }

  private static func isEndOfAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }
}
