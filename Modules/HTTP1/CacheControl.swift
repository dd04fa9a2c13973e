public import Models

/// The directives of a response's `Cache-Control` fields for a private cache (RFC 9111 §5.2.2).
///
/// Names are compared without regard to case, over all field lines. Unknown directives and those
/// for shared caches (`s-maxage`, `proxy-revalidate`, `private`) are ignored. A directive that
/// restricts caching applies even if it is malformed; one that permits caching applies only if it
/// is well-formed.
public struct CacheControl: Sendable, Equatable {
  public private(set) var noStore = false
  /// Whether the response must be validated before each use. `no-cache` with field names
  /// (`no-cache="Set-Cookie"`) counts, too: most caches treat such a directive like the plain one, which is
  /// the safer interpretation.
  public private(set) var noCache = false
  public private(set) var mustRevalidate = false
  /// Whether the content does not change while it is fresh, so that even a reload sends no request
  /// (RFC 8246). The directive does not extend freshness.
  public private(set) var immutable = false
  /// The freshness lifetime in seconds, or nil if there is none. An invalid or contradictory value counts as
  /// 0, which is stale (RFC 9111 §4.2.1).
  public private(set) var maxAge: Int64?

  public init(_ fields: HTTPFields) {
    for value in fields.all("Cache-Control") {
      var reader = DirectiveReader(bytes: Array(value.utf8))
      while let directive = reader.next() { apply(directive) }
    }
  }

  private mutating func apply(_ directive: DirectiveReader.Directive) {
    switch directive.name {
    case "no-store": noStore = true
    case "no-cache": noCache = true
    case "must-revalidate": mustRevalidate = true
    case "immutable": immutable = true
    case "max-age":
      let seconds = directive.argument.flatMap { DeltaSeconds.parse($0) } ?? 0
      maxAge = maxAge == nil || maxAge == seconds ? seconds : 0
    default: break
    }
  }
}

/// Parses the directives of a field value: `token [ "=" ( token / quoted-string ) ]`, separated by commas.
private struct DirectiveReader {
  struct Directive {
    /// The name in lower case.
    let name: String
    /// The argument without quotation marks; nil if there is none or it is malformed.
    let argument: String?
  }

  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Directive? {
    while index < bytes.count, ASCII.isBlank(bytes[index]) || bytes[index] == ASCII.comma {
      index += 1
    }
    guard index < bytes.count else { return nil }
    let name = read { $0 != UInt8(ascii: "=") && $0 != ASCII.comma }
    guard index < bytes.count, bytes[index] != ASCII.comma else {
      return Directive(name: Self.name(name), argument: nil)
    }
    index += 1
    let argument = argument()
    // White space around the "=" is not allowed; a directive with it is malformed.
    let isProper = name.allSatisfy(ASCII.isToken)
    return Directive(name: Self.name(name), argument: isProper ? argument : nil)
  }

  private mutating func argument() -> String? {
    guard let text = quoted() else { return Self.text(readToComma()) }
    return Self.text(readToComma()).isEmpty ? text : nil
  }

  /// Reads a quoted string; nil if no complete quoted string begins at `index`. An unclosed quotation mark is
  /// treated like any other byte, so that it cannot hide the directives after it.
  private mutating func quoted() -> String? {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
    var text: [UInt8] = []
    var place = index + 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count { place += 1 }
      text.append(bytes[place])
      place += 1
    }
    guard place < bytes.count else { return nil }
    index = place + 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func readToComma() -> ArraySlice<UInt8> { read { $0 != ASCII.comma } }

  private mutating func read(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = index
    while index < bytes.count, condition(bytes[index]) { index += 1 }
    return bytes[start..<index]
  }

  private static func name(_ bytes: ArraySlice<UInt8>) -> String { text(bytes).lowercased() }

  /// Returns the bytes as text, without trailing white space.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    while let last = bytes.last, ASCII.isBlank(last) { bytes = bytes.dropLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
