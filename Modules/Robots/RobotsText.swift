/// Splits the text of a robots.txt file into lines, and lines into name and value (RFC 9309 §2.2).
enum RobotsText {
  /// Calls `take` with the name, in lower case, and the value of every line that has a colon. Comments and
  /// the spaces around both parts are removed. O(length).
  static func forEachRecord(
    in text: ArraySlice<UInt8>, _ take: (_ name: [UInt8], _ value: ArraySlice<UInt8>) -> Void
  ) {
    // CR, LF and CR LF end a line; CR LF yields one more empty line, which has no effect.
    for line in text.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      let content = line.prefix { $0 != UInt8(ascii: "#") }
      guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = trimmed(content[..<colon])
      guard name.count <= longestName else { continue }
      take(name.map(lowercased), trimmed(content[(colon + 1)...]))
    }
  }

  /// The length of `user-agent` and `crawl-delay`, the longest names with a meaning, rounded up.
  private static let longestName = 16

  static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
