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

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0 == " " || $0 == "\t" }
    let blanks = start.reversed().prefix { $0 == " " || $0 == "\t" }.count
    return start.dropLast(blanks)
  }
}
