public import Models

/// The directives of a response's `Cache-Control` fields for a private cache (RFC 9111 §5.2.2).
///
/// Names are read in any case and from several field lines; directives that are not known, and
/// those for shared caches (`s-maxage`, `proxy-revalidate`, `private`), are passed over. What
/// restricts counts however badly it is written; what permits has to be right.
public struct CacheControl: Sendable, Equatable {
  public private(set) var noStore = false
  /// With field names (`no-cache="Set-Cookie"`) too: most caches treat that as the plain one, and
  /// it is the safer reading.
  public private(set) var noCache = false
  public private(set) var mustRevalidate = false
  /// The content does not change while it is fresh, so that not even a reload needs to ask
  /// (RFC 8246). It makes nothing fresh.
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
    /// As it stands, or what the quotation marks hold; nil if there is none or it is malformed.
    let argument: String?
  }

  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Directive? {
    while index < bytes.count, Octet.isBlank(bytes[index]) || bytes[index] == Octet.comma {
      index += 1
    }
    guard index < bytes.count else { return nil }
    let name = read { $0 != UInt8(ascii: "=") && $0 != Octet.comma }
    guard index < bytes.count, bytes[index] != Octet.comma else {
      return Directive(name: Self.name(name), argument: nil)
    }
    index += 1
    let argument = argument()
    // No blank may stand around the "=": what has one is not what it looks like.
    let isProper = name.allSatisfy(Octet.isToken)
    return Directive(name: Self.name(name), argument: isProper ? argument : nil)
  }

  private mutating func argument() -> String? {
    guard let text = quoted() else { return Self.text(readToComma()) }
    return Self.text(readToComma()).isEmpty ? text : nil
  }

  /// nil if no closed quotation begins here: then its marks are as any other byte, so that they
  /// cannot hide the directives behind them.
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

  private mutating func readToComma() -> ArraySlice<UInt8> { read { $0 != Octet.comma } }

  private mutating func read(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = index
    while index < bytes.count, condition(bytes[index]) { index += 1 }
    return bytes[start..<index]
  }

  private static func name(_ bytes: ArraySlice<UInt8>) -> String { text(bytes).lowercased() }

  /// Without blanks behind it.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    while let last = bytes.last, Octet.isBlank(last) { bytes = bytes.dropLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
