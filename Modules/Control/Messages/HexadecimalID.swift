/// The text form of 64-bit ids: 16 hexadecimal digits.
enum HexadecimalID {
  static func text(_ id: UInt64) -> String {
    let digits = String(id, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Parses the id in a field of a message; throws an error that names the field.
  static func value(_ text: String, of field: String) throws(ControlError) -> UInt64 {
    guard let id = parse(text) else {
      throw ControlError(.badBody, "\"\(field)\" is not 16 hexadecimal digits")
    }
    return id
  }

  /// Parses exactly the form of ``text(_:)``; nil for any other.
  static func parse(_ text: String) -> UInt64? {
    guard let id = UInt64(text, radix: 16), self.text(id) == text else { return nil }
    return id
  }
}
