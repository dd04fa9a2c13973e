package import Models

/// Encodes request fields as text, one line `name:value` each, readable with any SQLite tool. Line feeds,
/// backslashes, and colons in names are escaped, so that decoding restores all fields exactly.
package enum FieldsText {
  /// Returns the text of the fields, or nil if there are none.
  package static func encode(_ fields: HTTPFields) -> String? {
    guard !fields.isEmpty else { return nil }
    return fields.fields.map { field in
      escape(field.name, colons: true) + ":" + escape(field.value, colons: false)
    }.joined(separator: "\n")
  }

  package static func decode(_ text: String?) -> HTTPFields {
    var fields = HTTPFields()
    guard let text else { return fields }
    for line in text.utf8.split(separator: newline, omittingEmptySubsequences: false) {
      let colon = line.firstIndex(of: colon) ?? line.endIndex
      fields.append(unescape(line[..<colon]), unescape(line[colon...].dropFirst()))
    }
    return fields
  }

  private static let newline = UInt8(ascii: "\n")
  private static let colon = UInt8(ascii: ":")
  private static let backslash = UInt8(ascii: "\\")

  private static func escape(_ text: String, colons: Bool) -> String {
    var output: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case newline: output += [backslash, UInt8(ascii: "n")]
      case backslash: output += [backslash, backslash]
      case colon where colons: output += [backslash, UInt8(ascii: "c")]
      default: output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func unescape(_ text: some Sequence<UInt8>) -> String {
    var output: [UInt8] = []
    var isEscaped = false
    for byte in text {
      if isEscaped {
        switch byte {
        case UInt8(ascii: "n"): output.append(newline)
        case UInt8(ascii: "c"): output.append(colon)
        default: output.append(byte)
        }
        isEscaped = false
      } else if byte == backslash {
        isEscaped = true
      } else {
        output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
