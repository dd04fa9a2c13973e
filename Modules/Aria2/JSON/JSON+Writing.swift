extension JSON {
  /// The value as UTF-8 without blanks. O(size).
  public var bytes: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  /// The size of the names and values in bytes, without the syntax. O(number of values).
  var contentBytes: Int {
    switch self {
    case .null, .flag: 4
    case .number(let text), .text(let text): text.utf8.count
    case .list(let list): list.reduce(0) { $0 + $1.contentBytes + 1 }
    case .object(let members):
      members.reduce(0) { $0 + $1.name.utf8.count + $1.value.contentBytes + 1 }
    }
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output += "null".utf8
    case .flag(let flag): output += (flag ? "true" : "false").utf8
    case .number(let number): output += number.utf8
    case .text(let text): Self.write(text, to: &output)
    case .list(let list):
      output.append(UInt8(ascii: "["))
      for (index, value) in list.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        value.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case 0x0a: output += "\\n".utf8
      case 0x0d: output += "\\r".utf8
      case 0x09: output += "\\t".utf8
      case ..<0x20, 0x7f:
        let digits = String(byte, radix: 16)
        output += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
