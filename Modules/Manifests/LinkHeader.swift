public import Models

/// Web links in header fields (RFC 8288).
public enum LinkHeader {
  /// Returns the target of the first link with `rel="next"`, which the caller resolves against the URL of the
  /// response. Links from another context (`anchor`) are ignored.
  public static func next(in fields: HTTPFields) -> String? {
    for value in fields.all("Link") {
      var reader = Reader(bytes: Array(value.utf8))
      while let link = reader.link() {
        if link.isNext { return link.target }
      }
    }
    return nil
  }

  private struct Link {
    var target: String
    var isNext = false
  }

  /// A parser according to RFC 8288 appendix B.2, which skips parts that are not valid.
  private struct Reader {
    let bytes: [UInt8]
    var index = 0

    var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func link() -> Link? {
      skip { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
      guard byte == UInt8(ascii: "<") else { return nil }
      index += 1
      let target = scan { $0 != UInt8(ascii: ">") }
      guard byte != nil else { return nil }
      index += 1
      var link = Link(target: target)
      var hasAnchor = false
      var relation: String?
      while let (name, value) = parameter() {
        if HTTPFields.isSame(name, "anchor") { hasAnchor = true }
        // Only the first `rel` is used (RFC 8288 §3.3).
        if HTTPFields.isSame(name, "rel"), relation == nil { relation = value }
      }
      let words = relation?.split(whereSeparator: \.isWhitespace) ?? []
      link.isNext = !hasAnchor && words.contains { HTTPFields.isSame($0, "next") }
      return link
    }

    /// Parses `; name=value`, `; name="value"` or `; name`; nil at the end of the link.
    private mutating func parameter() -> (name: String, value: String)? {
      skip(Self.isSpace)
      guard byte == UInt8(ascii: ";") else {
        skip { $0 != UInt8(ascii: ",") }
        return nil
      }
      skip { Self.isSpace($0) || $0 == UInt8(ascii: ";") }
      let name = scan { !Self.isSpace($0) && !"=;,".utf8.contains($0) }
      skip(Self.isSpace)
      guard byte == UInt8(ascii: "=") else { return (name, "") }
      index += 1
      skip(Self.isSpace)
      if byte == UInt8(ascii: "\"") { return (name, quoted()) }
      return (
        name, scan { !Self.isSpace($0) && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
      )
    }

    /// Parses a quoted string (RFC 9110 §5.6.4).
    private mutating func quoted() -> String {
      index += 1
      var text: [UInt8] = []
      while let byte, byte != UInt8(ascii: "\"") {
        index += 1
        if byte == UInt8(ascii: "\\"), let next = self.byte {
          text.append(next)
          index += 1
        } else {
          text.append(byte)
        }
      }
      if byte != nil { index += 1 }
      return String(decoding: text, as: UTF8.self)
    }

    private mutating func skip(_ condition: (UInt8) -> Bool) {
      while let byte, condition(byte) { index += 1 }
    }

    private mutating func scan(_ condition: (UInt8) -> Bool) -> String {
      let start = index
      skip(condition)
      return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  }
}
