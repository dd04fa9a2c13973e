/// Comma-separated lists in field values (RFC 9110 §5.6.1). Quoted strings are not parsed, because the fields
/// that frame a message contain none.
public enum FieldList {
  /// Returns the members without surrounding blanks; empty ones are omitted.
  public static func members(_ value: String) -> [Substring] {
    value.utf8.split(separator: ASCII.comma).map { trim(Substring($0)) }.filter { !$0.isEmpty }
  }

  /// Calls `body` for each member, empty ones included. Copies nothing, because every message has such
  /// fields.
  static func forEachMember(of bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    var start = 0
    for index in 0...bytes.count where index == bytes.count || bytes[index] == ASCII.comma {
      body(bytes.extracting(bytes.bytes.trimmed(start..<index)))
      start = index + 1
    }
  }

  /// Removes surrounding blanks. Bytes are compared, because a combining mark would form one `Character` with
  /// a blank.
  static func trim(_ text: Substring) -> Substring {
    var bytes = text.utf8
    while let first = bytes.first, ASCII.isBlank(first) { bytes = bytes.dropFirst() }
    while let last = bytes.last, ASCII.isBlank(last) { bytes = bytes.dropLast() }
    return Substring(bytes)
  }
}
