/// Validates a text against RFC 8259 before it is parsed, in one pass without recursion.
///
/// Parsers are lenient in different ways, so this check refuses everything that two of them could read
/// differently: raw control characters in strings, lone surrogates, duplicate keys of an object (compared
/// with their escapes resolved), non-standard spellings of numbers and literals, and text after the value. It
/// takes O(n) time, and memory for the keys of the open objects.
struct StrictJSON {
  /// The kind of an object or list whose closing bracket has not been read yet.
  private enum Frame { case list, object }

  private let bytes: [UInt8]
  private let depthLimit: Int
  private var index = 0
  private var open: [Frame] = []
  /// The keys read so far of each open object, changed in place and never copied.
  private var keys: [Set<[UInt8]>] = []

  /// - Parameters:
  ///   - bytes: The text, which the caller has checked to be UTF-8.
  ///   - depthLimit: The maximum nesting depth of objects and lists.
  /// - Throws: `badBody`, with the cause and its byte offset.
  static func check(_ bytes: [UInt8], depthLimit: Int) throws(ControlError) {
    var check = StrictJSON(bytes: bytes, depthLimit: depthLimit)
    try check.run()
  }

  private init(bytes: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  private mutating func run() throws(ControlError) {
    repeat {
      if try beginValue() { try endValue() }
    } while !open.isEmpty
    skipSpace()
    guard index == bytes.count else { throw refusal("text follows the value") }
  }

  /// Reads a value, or the opening bracket of an object or a list up to its first value.
  /// - Returns: Whether the value is complete.
  private mutating func beginValue() throws(ControlError) -> Bool {
    skipSpace()
    switch peek {
    case UInt8(ascii: "\"")?: _ = try string()
    case UInt8(ascii: "[")?:
      try push(.list)
      skipSpace()
      if peek != UInt8(ascii: "]") { return false }
      close()
    case UInt8(ascii: "{")?:
      try push(.object)
      skipSpace()
      if peek != UInt8(ascii: "}") {
        try key()
        return false
      }
      close()
    case UInt8(ascii: "-")?, (0x30...0x39)?: try number()
    default: try literal()
    }
    return true
  }

  /// Reads the separators and closing brackets after a complete value, up to the start of the next one.
  private mutating func endValue() throws(ControlError) {
    while let frame = open.last {
      skipSpace()
      switch (frame, peek) {
      case (.list, UInt8(ascii: ",")?):
        index += 1
        return
      case (.object, UInt8(ascii: ",")?):
        index += 1
        return try key()
      case (.list, UInt8(ascii: "]")?), (.object, UInt8(ascii: "}")?): close()
      default: throw refusal("a comma or a closing bracket is missing")
      }
    }
  }

  private mutating func push(_ frame: Frame) throws(ControlError) {
    guard open.count < depthLimit else {
      throw ControlError(.badBody, "the body is nested more than \(depthLimit) deep")
    }
    open.append(frame)
    if frame == .object { keys.append([]) }
    index += 1
  }

  private mutating func close() {
    if open.popLast() == .object { keys.removeLast() }
    index += 1
  }

  private mutating func key() throws(ControlError) {
    skipSpace()
    let start = index
    guard peek == UInt8(ascii: "\"") else { throw refusal("a key is not a string") }
    let name = try string()
    guard keys[keys.count - 1].insert(name).inserted else {
      let text = String(String(decoding: name, as: UTF8.self).unicodeScalars.prefix(80))
      throw ControlError(.badBody, "the key \"\(text)\" occurs twice (byte \(start))")
    }
    skipSpace()
    guard peek == UInt8(ascii: ":") else { throw refusal("a colon is missing") }
    index += 1
  }

  private mutating func number() throws(ControlError) {
    if peek == UInt8(ascii: "-") { index += 1 }
    if peek == UInt8(ascii: "0") {
      index += 1
    } else {
      try digits()
    }
    if peek == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      index += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
  }

  private mutating func digits() throws(ControlError) {
    let start = index
    while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
    if index == start { throw refusal("a number lacks a digit") }
  }

  private mutating func literal() throws(ControlError) {
    for word in ["true", "false", "null"] where bytes[index...].starts(with: word.utf8) {
      index += word.utf8.count
      return
    }
    throw refusal(index == bytes.count ? "it ends too early" : "a value is missing")
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      index += 1
    }
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func refusal(_ cause: String) -> ControlError {
    ControlError(.badBody, "the body is not JSON: \(cause) (byte \(index))")
  }
}

/// Parsing of strings.
extension StrictJSON {
  /// Reads a string from its first quotation mark to its last.
  /// - Returns: The text with escapes resolved.
  private mutating func string() throws(ControlError) -> [UInt8] {
    index += 1
    var text: [UInt8] = []
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return text
      case UInt8(ascii: "\\"): try escape(&text)
      case ..<0x20: throw refusal("a string contains a raw control character")
      default:
        text.append(byte)
        index += 1
      }
    }
    throw refusal("a string is not terminated")
  }

  private mutating func escape(_ text: inout [UInt8]) throws(ControlError) {
    index += 1
    switch peek {
    case UInt8(ascii: "\"")?, UInt8(ascii: "\\")?, UInt8(ascii: "/")?: text.append(bytes[index])
    case UInt8(ascii: "b")?: text.append(0x08)
    case UInt8(ascii: "f")?: text.append(0x0c)
    case UInt8(ascii: "n")?: text.append(0x0a)
    case UInt8(ascii: "r")?: text.append(0x0d)
    case UInt8(ascii: "t")?: text.append(0x09)
    case UInt8(ascii: "u")?:
      text += String(Character(try scalar())).utf8
      return
    default: throw refusal("a string contains an invalid escape")
    }
    index += 1
  }

  /// Reads a `\uXXXX` escape from its `u` on, or two such escapes that form a surrogate pair.
  private mutating func scalar() throws(ControlError) -> Unicode.Scalar {
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    // RFC 8259 §8.2: parsers do not agree on the meaning of a lone surrogate.
    guard UTF16.isLeadSurrogate(high), peek == UInt8(ascii: "\\") else {
      throw refusal("a string contains a lone surrogate")
    }
    index += 1
    guard peek == UInt8(ascii: "u") else {
      throw refusal("a string contains a lone surrogate")
    }
    let low = try codeUnit()
    guard UTF16.isTrailSurrogate(low),
      let scalar = Unicode.Scalar(
        0x10000 + (UInt32(high) - 0xd800) << 10 + (UInt32(low) - 0xdc00))
    else { throw refusal("a string contains a lone surrogate") }
    return scalar
  }

  /// Reads four hexadecimal digits after the `u`.
  private mutating func codeUnit() throws(ControlError) -> UInt16 {
    index += 1
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw refusal("an escape lacks a hexadecimal digit")
      }
      value = value << 4 | UInt16(digit)
      index += 1
    }
    return value
  }
}
