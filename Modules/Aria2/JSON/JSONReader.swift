/// Parses JSON strictly, with a bounded depth. Everything that two parsers could read differently is refused:
/// raw control characters, lone surrogates, names that occur twice in an object, and text after the value.
struct JSONReader {
  /// The reason why a text is not JSON, with the offset of the byte.
  struct Failure: Error, Equatable {
    let offset: Int
    let detail: String
  }

  /// The maximum nesting depth; bounded because the parser recurses.
  static let depthLimit = 32

  private let bytes: [UInt8]
  private var index = 0

  /// Parses a text in UTF-8. O(size), with a set of names for each open object.
  static func value(of bytes: [UInt8]) throws(Failure) -> JSON {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Failure(offset: 0, detail: "the text is not UTF-8")
    }
    var reader = JSONReader(bytes: bytes)
    let value = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.index == bytes.count else { throw reader.failure("text follows the value") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func failure(_ detail: String) -> Failure { Failure(offset: index, detail: detail) }

  private mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      index += 1
    }
  }

  private mutating func value(depth: Int) throws(Failure) -> JSON {
    guard depth < Self.depthLimit else {
      throw failure("the text is nested more than \(Self.depthLimit) deep")
    }
    skipBlanks()
    switch peek {
    case UInt8(ascii: "{")?: return try object(depth)
    case UInt8(ascii: "[")?: return try list(depth)
    case UInt8(ascii: "\"")?: return .text(try string())
    case UInt8(ascii: "-")?, (0x30...0x39)?: return try number()
    default: return try word()
    }
  }

  private mutating func object(_ depth: Int) throws(Failure) -> JSON {
    var members: [JSON.Member] = []
    var names: Set<String> = []
    index += 1
    skipBlanks()
    if accept("}") { return .object([]) }
    repeat {
      skipBlanks()
      guard peek == UInt8(ascii: "\"") else { throw failure("a name is not a string") }
      let name = try string()
      guard names.insert(name).inserted else { throw failure("a name occurs twice") }
      skipBlanks()
      guard accept(":") else { throw failure("a colon is missing") }
      members.append(JSON.Member(name, try value(depth: depth + 1)))
      skipBlanks()
    } while accept(",")
    guard accept("}") else { throw failure("a comma or a brace is missing") }
    return .object(members)
  }

  private mutating func list(_ depth: Int) throws(Failure) -> JSON {
    var values: [JSON] = []
    index += 1
    skipBlanks()
    if accept("]") { return .list([]) }
    repeat {
      values.append(try value(depth: depth + 1))
      skipBlanks()
    } while accept(",")
    guard accept("]") else { throw failure("a comma or a bracket is missing") }
    return .list(values)
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func word() throws(Failure) -> JSON {
    for (word, value) in [("true", JSON.flag(true)), ("false", .flag(false)), ("null", .null)]
    where bytes[index...].starts(with: word.utf8) {
      index += word.utf8.count
      return value
    }
    throw failure(peek == nil ? "the text ends too early" : "a value is missing")
  }

  private mutating func number() throws(Failure) -> JSON {
    let start = index
    _ = accept("-")
    if !accept("0") { try digits() }
    if accept(".") { try digits() }
    if accept("e") || accept("E") {
      _ = accept("+") || accept("-")
      try digits()
    }
    return .number(String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private mutating func digits() throws(Failure) {
    let start = index
    while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
    if index == start { throw failure("a number lacks a digit") }
  }
}

/// Parsing of strings.
extension JSONReader {
  private mutating func string() throws(Failure) -> String {
    index += 1
    var text: [UInt8] = []
    while let byte = peek {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += String(try escape()).utf8
      case ..<0x20: throw failure("a string contains a raw control character")
      default: text.append(byte)
      }
    }
    throw failure("a string is not terminated")
  }

  private mutating func escape() throws(Failure) -> Character {
    guard let byte = peek else { throw failure("a string is not terminated") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Character(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return Character(try scalar())
    default: throw failure("a string contains an invalid escape")
    }
  }

  /// Reads the digits of a `\u` escape, or of two that form a surrogate pair.
  private mutating func scalar() throws(Failure) -> Unicode.Scalar {
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard UTF16.isLeadSurrogate(high), accept("\\"), accept("u") else {
      throw failure("a string contains a lone surrogate")
    }
    let low = try codeUnit()
    guard UTF16.isTrailSurrogate(low),
      let scalar = Unicode.Scalar(
        0x10000 + (UInt32(high) - 0xd800) << 10 + (UInt32(low) - 0xdc00))
    else { throw failure("a string contains a lone surrogate") }
    return scalar
  }

  private mutating func codeUnit() throws(Failure) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("an escape lacks a hexadecimal digit")
      }
      value = value << 4 | UInt16(digit)
      index += 1
    }
    return value
  }
}
