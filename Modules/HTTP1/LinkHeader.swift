public import Models

/// The links in the `Link` fields of a message (RFC 8288 §3).
public enum LinkHeader {
  /// A link whose context is the message itself.
  public struct Link: Sendable, Equatable {
    /// The target as written, to be resolved against the URL of the response.
    public let target: String
    /// The relation types of the first `rel` (RFC 8288 §3.3), in lower case.
    public let relations: [String]
    /// The other parameters with their names in lower case, in order, at most ``LinkHeader/parameterLimit``.
    public let parameters: [(name: String, value: String)]

    /// Returns the value of the first parameter with the name, which is in lower case.
    public subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    public static func == (a: Link, b: Link) -> Bool {
      a.target == b.target && a.relations == b.relations
        && a.parameters.elementsEqual(b.parameters) { $0 == $1 }
    }
  }

  /// The maximum number of links that are read from a message; further ones are ignored.
  public static let linkLimit = 128
  /// The maximum number of parameters of a link that are kept; further ones are skipped.
  public static let parameterLimit = 16
  /// The maximum number of bytes that are read of all `Link` fields together.
  public static let byteLimit = 65_536

  /// Returns the links of all fields in their order. Links from another context (`anchor`) are left out,
  /// because they say nothing about the message. O(length of the fields).
  public static func links(in fields: HTTPFields) -> [Link] {
    var links: [Link] = []
    var remaining = byteLimit
    for value in fields.references("Link") {
      var reader = LinkReader(bytes: Array(value.utf8.prefix(remaining)))
      remaining -= reader.bytes.count
      while links.count < linkLimit, let (link, hasAnchor) = reader.next() {
        if !hasAnchor { links.append(link) }
      }
    }
    return links
  }

  /// Returns the target of the first link with `rel="next"`, which the caller resolves against the URL of the
  /// response.
  public static func next(in fields: HTTPFields) -> String? {
    guard fields["Link"] != nil else { return nil }
    return links(in: fields).first { $0.relations.contains("next") }?.target
  }
}

/// A parser according to RFC 8288 appendix B.2, which skips parts that are not valid.
private struct LinkReader {
  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func next() -> (link: LinkHeader.Link, hasAnchor: Bool)? {
    skip { ASCII.isBlank($0) || $0 == ASCII.comma }
    guard byte == UInt8(ascii: "<") else { return nil }
    index += 1
    let target = scan { $0 != UInt8(ascii: ">") }
    guard byte != nil else { return nil }
    index += 1
    var hasAnchor = false
    var relation: String?
    var parameters: [(name: String, value: String)] = []
    while let (name, value) = parameter() {
      switch name {
      case "anchor": hasAnchor = true
      case "rel": relation = relation ?? value
      default:
        if parameters.count < LinkHeader.parameterLimit { parameters.append((name, value)) }
      }
    }
    let relations = (relation ?? "").split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
    return (
      LinkHeader.Link(target: target, relations: relations, parameters: parameters), hasAnchor
    )
  }

  /// Parses `; name=value`, `; name="value"` or `; name`; nil at the end of the link.
  private mutating func parameter() -> (name: String, value: String)? {
    skip(ASCII.isBlank)
    guard byte == ASCII.semicolon else {
      skip { $0 != ASCII.comma }
      return nil
    }
    skip { ASCII.isBlank($0) || $0 == ASCII.semicolon }
    let name = scan { !ASCII.isBlank($0) && !"=;,".utf8.contains($0) }.lowercased()
    skip(ASCII.isBlank)
    guard byte == UInt8(ascii: "=") else { return (name, "") }
    index += 1
    skip(ASCII.isBlank)
    if byte == UInt8(ascii: "\"") { return (name, quoted()) }
    return (name, scan { !ASCII.isBlank($0) && $0 != ASCII.semicolon && $0 != ASCII.comma })
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
}
