/// Comma-separated lists in field values (RFC 9110 §5.6.1). Quoted strings are not parsed, because the lists
/// that frame a message have none.
public enum FieldList {
  /// Returns the members without surrounding blanks; empty ones are omitted.
  public static func members(_ value: String) -> [Substring] {
    value.utf8.split(separator: Octet.comma).map { trim(Substring($0)) }.filter { !$0.isEmpty }
  }

  /// Calls `body` for each member, empty ones included, without copying, for fields that every message has.
  static func forEachMember(of octets: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    var start = 0
    for index in 0...octets.count where index == octets.count || octets[index] == Octet.comma {
      body(octets.extracting(octets.bytes.trimmed(start..<index)))
      start = index + 1
    }
  }

  /// Removes surrounding blanks. Bytes are compared, because a combining mark would form one `Character` with
  /// a blank.
  static func trim(_ text: Substring) -> Substring {
    var octets = text.utf8
    while let first = octets.first, Octet.isBlank(first) { octets = octets.dropFirst() }
    while let last = octets.last, Octet.isBlank(last) { octets = octets.dropLast() }
    return Substring(octets)
  }
}
