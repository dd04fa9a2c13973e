/// Divides a script into its strings, the names before colons, and brackets. What is in comments, templates and
/// regular expressions may be taken for strings; a string that spans lines is none.
struct ScriptStrings {
  enum Token {
    case name([UInt8])
    case string([UInt8])
    case begin(isArray: Bool)
    case end(isArray: Bool)
  }

  /// The maximum length of a string in bytes; the rest of a longer one is skipped.
  private static let lengthLimit = 1 << 20

  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the text can have names of image files in strings.
  var mayNameFiles: Bool { bytes.contains(UInt8(ascii: ".")) }

  mutating func next() -> Token? {
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "["): return .begin(isArray: true)
      case UInt8(ascii: "{"): return .begin(isArray: false)
      case UInt8(ascii: "]"): return .end(isArray: true)
      case UInt8(ascii: "}"): return .end(isArray: false)
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let string = string(until: byte) else { continue }
        return isBeforeColon(index) ? .name(string) : .string(string)
      case _ where ASCII.isLetter(byte):
        let start = index - 1
        while index < bytes.count, VersionSize.isWordByte(bytes[index]) || bytes[index] == 0x5f {
          index += 1
        }
        if isBeforeColon(index) { return .name(Array(bytes[start..<index])) }
      default: break
      }
    }
    return nil
  }

  private func isBeforeColon(_ index: Int) -> Bool {
    let rest = bytes[index...].drop { $0 <= 0x20 }
    return rest.first == UInt8(ascii: ":")
  }

  /// Returns the string up to a quotation mark; nil if a line ends before.
  private mutating func string(until quote: UInt8) -> [UInt8]? {
    var result: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == quote { return result }
      if byte == 0x0a { return nil }
      var piece = [byte]
      if byte == UInt8(ascii: "\\") {
        guard index < bytes.count else { return nil }
        piece = escaped()
      }
      if result.count < Self.lengthLimit { result += piece }
    }
    return nil
  }

  /// Returns the character after a backslash.
  private mutating func escaped() -> [UInt8] {
    let escape = bytes[index]
    index += 1
    guard escape == UInt8(ascii: "u"), index + 4 <= bytes.count,
      let code = UInt32(String(decoding: bytes[index..<(index + 4)], as: UTF8.self), radix: 16)
    else { return [escape] }
    index += 4
    return Array(String(Unicode.Scalar(code) ?? "\u{fffd}").utf8)
  }
}
