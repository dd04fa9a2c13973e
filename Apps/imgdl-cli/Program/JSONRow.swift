/// Writes one JSON object, member by member, because using an encoder for each of a million rows would take
/// most of the time. The caller adds the members in alphabetical order, as in all machine-readable output.
struct JSONRow {
  private var bytes: [UInt8]
  private var isFirst = true

  /// Appends a JSON object to the bytes.
  /// - Parameter body: Adds the members of the object.
  static func append(to bytes: inout [UInt8], _ body: (inout JSONRow) -> Void) {
    // The bytes are moved into the row and back, because a second reference would copy the whole buffer.
    var row = JSONRow(bytes: exchange(&bytes, with: []))
    row.object(body)
    bytes = row.bytes
  }

  private mutating func object(_ body: (inout JSONRow) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    isFirst = false
  }

  /// Adds a member with a text. A member without a value is omitted.
  mutating func add(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    beginField(name)
    Self.append(text, to: &bytes)
  }

  /// Adds a member with a list of texts.
  mutating func add(_ name: StaticString, _ texts: [String]) {
    beginField(name)
    bytes.append(UInt8(ascii: "["))
    for (index, text) in texts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      Self.append(text, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  mutating func add(_ name: StaticString, _ number: Int64?) {
    guard let number else { return }
    beginField(name)
    bytes += "\(number)".utf8
  }

  /// Adds a member with a number of up to three decimals, given in thousandths, because formatting a `Double`
  /// takes ten times as long.
  mutating func add(_ name: StaticString, thousandths: Int64?) {
    guard let thousandths else { return }
    beginField(name)
    if thousandths < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
    bytes += "\(whole)".utf8
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    for divisor: UInt64 in [100, 10, 1] {
      bytes.append(UInt8(ascii: "0") + UInt8(rest / divisor % 10))
    }
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
  }

  /// Adds a member with a nested object.
  /// - Parameter body: Adds the members of the nested object.
  mutating func add(_ name: StaticString, _ body: (inout JSONRow) -> Void) {
    beginField(name)
    object(body)
  }

  private mutating func beginField(_ name: StaticString) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes += $0 }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Appends a quoted string (RFC 8259 §7) in which control and direction characters are escaped.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    if text.utf8Satisfies({ (0x20...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }) {
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
