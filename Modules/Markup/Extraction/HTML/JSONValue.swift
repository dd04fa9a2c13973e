/// A value of JSON (RFC 8259) in a page, which is usually small and sometimes malformed.
indirect enum JSONValue: Equatable {
  case string(String)
  case object([(name: String, value: JSONValue)])
  case array([JSONValue])
  /// A number, a boolean or null.
  case other(String)

  static func == (a: JSONValue, b: JSONValue) -> Bool {
    switch (a, b) {
    case (.string(let a), .string(let b)), (.other(let a), .other(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.name == $1.name && $0.value == $1.value }
    default: false
    }
  }

  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}

/// Parses JSON of at most a few levels. Control characters in strings are accepted, because pages have them.
struct JSONReader {
  /// The maximum nesting depth; a deeper document is rejected.
  private static let maximumDepth = 32

  private let bytes: [UInt8]
  private var index = 0

  /// Returns the value of a text; nil if it is not well-formed.
  static func value(_ text: String) -> JSONValue? {
    var reader = JSONReader(bytes: Array(text.utf8))
    return reader.readValue(depth: 0)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func readValue(depth: Int) -> JSONValue? {
    guard depth < Self.maximumDepth, let byte = skipSpace() else { return nil }
    switch byte {
    case UInt8(ascii: "{"): return readObject(depth: depth)
    case UInt8(ascii: "["): return readArray(depth: depth)
    case UInt8(ascii: "\""): return readString().map { .string($0) }
    default:
      let start = index
      while index < bytes.count, !Self.endsScalar(bytes[index]) { index += 1 }
      return start == index ? nil : .other(String(decoding: bytes[start..<index], as: UTF8.self))
    }
  }

  private mutating func readObject(depth: Int) -> JSONValue? {
    var members: [(name: String, value: JSONValue)] = []
    index += 1
    while let byte = skipSpace() {
      if byte == UInt8(ascii: "}") {
        index += 1
        return .object(members)
      }
      if byte == UInt8(ascii: ",") {
        index += 1
        continue
      }
      guard byte == UInt8(ascii: "\""), let name = readString(), skipSpace() == UInt8(ascii: ":")
      else { return nil }
      index += 1
      guard let value = readValue(depth: depth + 1) else { return nil }
      members.append((name, value))
    }
    return nil
  }

  private mutating func readArray(depth: Int) -> JSONValue? {
    var elements: [JSONValue] = []
    index += 1
    while let byte = skipSpace() {
      if byte == UInt8(ascii: "]") {
        index += 1
        return .array(elements)
      }
      if byte == UInt8(ascii: ",") {
        index += 1
        continue
      }
      guard let value = readValue(depth: depth + 1) else { return nil }
      elements.append(value)
    }
    return nil
  }

  private mutating func readString() -> String? {
    index += 1
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard index < bytes.count else { return nil }
        let escape = bytes[index]
        index += 1
        switch escape {
        case UInt8(ascii: "u"):
          guard let scalar = readScalar() else { return nil }
          text.append(contentsOf: scalar.utf8)
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"),
          UInt8(ascii: "f"):
          text.append(0x20)
        default: text.append(escape)
        }
      default: text.append(byte)
      }
    }
    return nil
  }

  /// Reads the digits after `\u`, and those of the second half of a surrogate pair.
  private mutating func readScalar() -> Unicode.Scalar? {
    guard let first = readUnit() else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xdc00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return "\u{fffd}" }
    index += 2
    guard let second = readUnit() else { return nil }
    guard (0xdc00..<0xe000).contains(second) else { return "\u{fffd}" }
    return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
  }

  private mutating func readUnit() -> UInt32? {
    guard index + 4 <= bytes.count else { return nil }
    defer { index += 4 }
    let digits = String(decoding: bytes[index..<(index + 4)], as: UTF8.self)
    return UInt32(digits, radix: 16)
  }

  private mutating func skipSpace() -> UInt8? {
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    return index < bytes.count ? bytes[index] : nil
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    byte <= 0x20 || ",]}:".utf8.contains(byte)
  }
}
