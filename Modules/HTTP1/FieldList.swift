/// Comma-separated lists in field values (RFC 9110 §5.6.1). Quoted strings are not looked at: the
/// lists that frame a message have none.
public enum FieldList {
  /// The members without blanks around them; empty ones are left out.
  public static func members(_ value: String) -> [Substring] {
    value.split(separator: ",").map { trim($0) }.filter { !$0.isEmpty }
  }

  static func trim(_ text: Substring) -> Substring {
    var text = text
    while let first = text.utf8.first, Octet.isBlank(first) { text = text.dropFirst() }
    while let last = text.utf8.last, Octet.isBlank(last) { text = text.dropLast() }
    return text
  }
}
