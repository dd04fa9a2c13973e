extension [UInt8] {
  /// Appends a JSON string in ASCII (RFC 8259 §7), in the form of Python's `json.dumps`.
  public mutating func appendASCIIJSON(_ text: String) {
    append(UInt8(ascii: "\""))
    for unit in text.utf16 {
      switch unit {
      case 0x22, 0x5c:
        append(UInt8(ascii: "\\"))
        append(UInt8(truncatingIfNeeded: unit))
      case 0x0a: self += "\\n".utf8
      case 0x0d: self += "\\r".utf8
      case 0x09: self += "\\t".utf8
      case 0x08: self += "\\b".utf8
      case 0x0c: self += "\\f".utf8
      case 0x20..<0x7f: append(UInt8(truncatingIfNeeded: unit))
      default:
        let digits = String(unit, radix: 16)
        self += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
      }
    }
    append(UInt8(ascii: "\""))
  }
}
