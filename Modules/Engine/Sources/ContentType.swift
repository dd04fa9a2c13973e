/// The field Content-Type (RFC 9110 §8.3).
enum ContentType {
  /// Returns the value of the parameter `charset`; nil if there is none.
  static func charset(_ field: String) -> String? {
    for parameter in field.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, trimmed(parts[0]).lowercased() == "charset" else { continue }
      let value = trimmed(parts[1])
      let text = value.first == "\"" ? value.dropFirst().prefix { $0 != "\"" } : value
      return text.isEmpty ? nil : String(text)
    }
    return nil
  }

  /// Whether the media type is that of a table (RFC 4180; `text/tab-separated-values` is registered by IANA).
  static func isTable(_ field: String) -> Bool {
    let type = field.split(separator: ";", omittingEmptySubsequences: false).first.map(trimmed)
    return ["text/csv", "text/tab-separated-values"].contains(type?.lowercased())
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0 == " " || $0 == "\t" }
    let blanks = start.reversed().prefix { $0 == " " || $0 == "\t" }.count
    return start.dropLast(blanks)
  }
}
