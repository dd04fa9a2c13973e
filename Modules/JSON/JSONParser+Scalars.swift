extension JSONParser {
  enum Literal: Sendable { case `true`, `false`, null, notANumber, infinity, negativeInfinity }

  mutating func literal(_ byte: UInt8, at index: Int) throws(JSONError) -> JSONEvent? {
    let word: StaticString
    let event: JSONEvent
    switch literal {
    case .true: (word, event) = ("true", .bool(true))
    case .false: (word, event) = ("false", .bool(false))
    case .null: (word, event) = ("null", .null)
    case .notANumber: (word, event) = ("NaN", .number("NaN"))
    case .infinity: (word, event) = ("Infinity", .number("Infinity"))
    case .negativeInfinity: (word, event) = ("-Infinity", .number("-Infinity"))
    }
    guard byte == word.utf8Start[literalLength] else { throw unexpected(byte, at: index) }
    literalLength &+= 1
    guard literalLength == word.utf8CodeUnitCount else { return nil }
    endValue()
    return event
  }

  /// Reads a number up to its end or that of the chunk. The byte that follows the number is not read.
  mutating func number(_ bytes: RawSpan, _ index: inout Int) throws(JSONError) -> JSONEvent? {
    while index < bytes.byteCount {
      let byte = bytes.byte(index)
      let isDigit = byte >= 0x30 && byte <= 0x39
      switch state {
      case .integer where isDigit, .fraction where isDigit, .exponent where isDigit: break
      case .minus where byte == UInt8(ascii: "0"): state = .zero
      case .minus where isDigit: state = .integer
      case .minus where byte == UInt8(ascii: "I") && policy.allowsNonFiniteNumbers:
        (state, literal, literalLength) = (.literal, .negativeInfinity, 1)
        return nil
      case .zero where byte == UInt8(ascii: "."), .integer where byte == UInt8(ascii: "."):
        state = .point
      case .point where isDigit: state = .fraction
      case .zero where byte | 0x20 == UInt8(ascii: "e"),
        .integer where byte | 0x20 == UInt8(ascii: "e"),
        .fraction where byte | 0x20 == UInt8(ascii: "e"):
        state = .exponentMark
      case .exponentMark where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"):
        state = .exponentSign
      case .exponentMark where isDigit, .exponentSign where isDigit: state = .exponent
      default:
        guard isNumberComplete else { throw unexpected(byte, at: index) }
        return endNumber()
      }
      guard token.count < policy.textLength else { throw tooLong() }
      token.append(byte)
      index &+= 1
    }
    return nil
  }

  /// Whether the number may end in the current state.
  var isNumberComplete: Bool {
    switch state {
    case .zero, .integer, .fraction, .exponent: true
    default: false
    }
  }

  mutating func endNumber() -> JSONEvent {
    endValue()
    return .number(String(decoding: token, as: UTF8.self))
  }

  /// Reads a byte of a word. The byte that follows the word is not read.
  mutating func word(_ byte: UInt8, _ index: inout Int) throws(JSONError) -> JSONEvent? {
    guard !Self.endsWord(byte) else { return endWord() }
    guard token.count < policy.textLength else { throw tooLong() }
    token.append(byte)
    index &+= 1
    return nil
  }

  static func endsWord(_ byte: UInt8) -> Bool {
    byte <= 0x20 || ",]}:".utf8.contains(byte)
  }

  mutating func endWord() -> JSONEvent {
    endValue()
    let word = String(decoding: token, as: UTF8.self)
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      let isNumber = token.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || "+-.eE".utf8.contains($0) }
      return isNumber ? .number(word) : .null
    }
  }
}
