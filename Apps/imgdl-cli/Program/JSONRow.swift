/// Writes one JSON object, member by member, where an encoder for each of a million rows would take longer
/// than everything else. Members come in the order in which they are written: alphabetical, as in all
/// output for machines.
struct JSONRow {
  private(set) var bytes: [UInt8]
  private var isFirst = true

  /// - Parameter bytes: the object is written behind them.
  init(after bytes: consuming [UInt8] = []) {
    self.bytes = bytes
    self.bytes.append(UInt8(ascii: "{"))
  }

  /// Ends the object.
  consuming func finished() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// A member that is nil is left out.
  mutating func add(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    begin(name)
    Self.append(text, to: &bytes)
  }

  mutating func add(_ name: StaticString, _ number: Int64?) {
    guard let number else { return }
    begin(name)
    bytes += "\(number)".utf8
  }

  /// JSON has no infinity; such a number is left out.
  mutating func add(_ name: StaticString, _ number: Double?) {
    guard let number, number.isFinite else { return }
    begin(name)
    let text = "\(number)"
    bytes += text.hasSuffix(".0") ? text.dropLast(2).utf8 : text[...].utf8
  }

  /// - Parameter body: writes the members of an object.
  mutating func add(_ name: StaticString, _ body: (inout JSONRow) -> Void) {
    begin(name)
    var inner = JSONRow(after: bytes)
    body(&inner)
    bytes = inner.finished()
  }

  private mutating func begin(_ name: StaticString) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes += $0 }
    bytes += [UInt8(ascii: "\""), UInt8(ascii: ":")]
  }

  /// A string with its quotation marks (RFC 8259 §7). Characters that steer terminals are escaped as well.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    if text.utf8.allSatisfy({ (0x20...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }) {
      bytes += text.utf8
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": bytes += "\\\(scalar)".utf8
      case "\n": bytes += "\\n".utf8
      case "\r": bytes += "\\r".utf8
      case "\t": bytes += "\\t".utf8
      case _ where Console.isDangerous(scalar):
        let digits = String(scalar.value, radix: 16)
        bytes += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
      default: bytes += String(scalar).utf8
      }
    }
  }
}
