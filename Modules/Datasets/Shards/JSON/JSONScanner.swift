import Models

/// Reads the values of a JSON text in order (RFC 8259), without building a tree.
///
/// Every value can be skipped and copied as it is written: a shard has ten thousand rows, whose columns pass
/// through unchanged.
struct JSONScanner {
  /// The maximum depth of nested lists and objects.
  static let maximumDepth = 64

  private let bytes: [UInt8]
  private(set) var position: Int

  init(_ bytes: [UInt8], at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

  /// The next byte that is not white space; nil at the end.
  mutating func peek() -> UInt8? {
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    return position < bytes.count ? bytes[position] : nil
  }

  /// Consumes a character.
  mutating func expect(_ character: Character) throws(ShardError) {
    guard let next = peek(), character.asciiValue == next else {
      throw .malformed("\(character) is missing at byte \(position)")
    }
    position += 1
  }

  /// Consumes a character if it is the next one.
  mutating func skip(_ character: Character) -> Bool {
    guard let next = peek(), character.asciiValue == next else { return false }
    position += 1
    return true
  }

  /// Calls `body` for each member of an object, with the scanner before the value, which `body` consumes.
  mutating func object(
    _ body: (inout JSONScanner, String) throws(ShardError) -> Void
  ) throws(ShardError) {
    try expect("{")
    if skip("}") { return }
    repeat {
      let name = try string()
      try expect(":")
      try body(&self, name)
    } while skip(",")
    try expect("}")
  }

  /// Calls `body` for each element of a list, with the scanner before the element, which `body` consumes.
  mutating func list(_ body: (inout JSONScanner) throws(ShardError) -> Void) throws(ShardError) {
    try expect("[")
    if skip("]") { return }
    repeat { try body(&self) } while skip(",")
    try expect("]")
  }

  /// Consumes a value.
  /// - Returns: The range of its bytes.
  mutating func value(depth: Int = 0) throws(ShardError) -> Range<Int> {
    guard depth < Self.maximumDepth else { throw .malformed("the JSON is nested too deeply") }
    let first = peek()
    let start = position
    switch first {
    case UInt8(ascii: "{"):
      try object { (scanner, _) throws(ShardError) in _ = try scanner.value(depth: depth + 1) }
    case UInt8(ascii: "["):
      try list { (scanner) throws(ShardError) in _ = try scanner.value(depth: depth + 1) }
    case UInt8(ascii: "\""): _ = try rawString()
    case nil: throw .malformed("the line ends too early")
    default: try scalar()
    }
    return start..<position
  }

  /// Consumes a number or a word such as `null`; Python also writes `NaN` and `Infinity`.
  private mutating func scalar() throws(ShardError) {
    let start = position
    while position < bytes.count, Self.isScalar(bytes[position]) { position += 1 }
    guard position > start else { throw .malformed("a value is missing at byte \(start)") }
    let text = bytes[start..<position]
    guard Self.isNumber(text) || Self.words.contains(where: text.elementsEqual) else {
      throw .malformed("a value at byte \(start) is neither a number nor a word of JSON")
    }
  }

  private static let words = ["null", "true", "false", "NaN", "Infinity", "-Infinity"].map {
    Array($0.utf8)
  }

  private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
    guard let first = digits.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    return Double(String(decoding: text, as: UTF8.self)) != nil
  }

  private static func isScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Consumes a string.
  /// - Returns: The range of the bytes between its quotation marks.
  private mutating func rawString() throws(ShardError) -> Range<Int> {
    try expect("\"")
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return start..<(position - 1)
      case UInt8(ascii: "\\"): position += 2
      case 0..<0x20: throw .malformed("a control character within a string at byte \(position)")
      default: position += 1
      }
    }
    throw .malformed("the line ends within a string")
  }

  /// Consumes a string.
  mutating func string() throws(ShardError) -> String {
    let range = try rawString()
    let raw = bytes[range]
    if !raw.contains(UInt8(ascii: "\\")) {
      guard let text = String(validating: raw, as: UTF8.self) else {
        throw .malformed("a string is not UTF-8")
      }
      return text
    }
    return try Self.unescaped(raw)
  }

  /// Consumes `null` if it is the next value.
  mutating func skipNull() -> Bool {
    guard peek() == UInt8(ascii: "n"), bytes[position...].starts(with: "null".utf8) else {
      return false
    }
    position += 4
    return true
  }

  /// Replaces the escapes of a string. A surrogate without its partner becomes U+FFFD.
  private static func unescaped(_ raw: ArraySlice<UInt8>) throws(ShardError) -> String {
    var output: [UInt8] = []
    var units: [UInt16] = []
    func flush() {
      guard !units.isEmpty else { return }
      output += String(decoding: units, as: UTF16.self).utf8
      units = []
    }
    var index = raw.startIndex
    while index < raw.endIndex {
      guard raw[index] == UInt8(ascii: "\\") else {
        flush()
        output.append(raw[index])
        index += 1
        continue
      }
      guard index + 1 < raw.endIndex else { throw .malformed("an escape is incomplete") }
      let kind = raw[index + 1]
      index += 2
      guard kind != UInt8(ascii: "u") else {
        guard index + 4 <= raw.endIndex,
          let unit = UInt16(String(decoding: raw[index..<(index + 4)], as: UTF8.self), radix: 16)
        else { throw .malformed("an escape is not four hexadecimal digits") }
        units.append(unit)
        index += 4
        continue
      }
      flush()
      guard let byte = escapes[kind] else { throw .malformed("an unknown escape in a string") }
      output.append(byte)
    }
    flush()
    guard let text = String(validating: output, as: UTF8.self) else {
      throw .malformed("a string is not UTF-8")
    }
    return text
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
    UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
  ]
}

extension JSONScanner {
  mutating func integer() throws(ShardError) -> Int {
    let range = try value()
    guard let number = Int(String(decoding: bytes[range], as: UTF8.self)) else {
      throw .malformed("a number is not an integer")
    }
    return number
  }

  mutating func double() throws(ShardError) -> Double {
    let range = try value()
    let text = String(decoding: bytes[range], as: UTF8.self)
    guard text.first.map({ $0 == "-" || $0.isNumber }) == true, let number = Double(text) else {
      throw .malformed("a value is not a number")
    }
    return number
  }

  mutating func bool() throws(ShardError) -> Bool {
    let range = try value()
    if bytes[range].elementsEqual("true".utf8) { return true }
    if bytes[range].elementsEqual("false".utf8) { return false }
    throw .malformed("a value is neither true nor false")
  }

  /// Checks that the text ends here.
  mutating func end() throws(ShardError) {
    guard peek() == nil else { throw .malformed("the line continues after its value") }
  }
}
