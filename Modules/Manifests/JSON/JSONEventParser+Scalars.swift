extension JSONEventParser {
  enum Literal: Sendable { case `true`, `false`, null }

  mutating func literal<Handler: JSONEventHandler>(
    _ byte: UInt8, at index: Int, _ handler: inout Handler
  ) throws(ManifestError) {
    let word: StaticString
    let event: JSONEvent
    switch literal {
    case .true: (word, event) = ("true", .bool(true))
    case .false: (word, event) = ("false", .bool(false))
    case .null: (word, event) = ("null", .null)
    }
    guard byte == word.utf8Start[literalLength] else { throw unexpected(byte, at: index) }
    literalLength &+= 1
    guard literalLength == word.utf8CodeUnitCount else { return }
    endValue()
    try emit(event, at: index, &handler)
  }

  /// - Returns: false if the byte follows the number and must be processed again.
  mutating func number<Handler: JSONEventHandler>(
    _ byte: UInt8, at index: Int, _ handler: inout Handler
  ) throws(ManifestError) -> Bool {
    let isDigit = byte >= 0x30 && byte <= 0x39
    switch state {
    case .minus where byte == UInt8(ascii: "0"): state = .zero
    case .minus where isDigit: state = .integer
    case .integer where isDigit, .fraction where isDigit, .exponent where isDigit: break
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
      try endNumber(at: index, &handler)
      return false
    }
    guard token.count < limits.textLength else { throw tooLong() }
    token.append(byte)
    return true
  }

  /// Whether the number may end in the current state.
  var isNumberComplete: Bool {
    switch state {
    case .zero, .integer, .fraction, .exponent: true
    default: false
    }
  }

  mutating func endNumber<Handler: JSONEventHandler>(
    at index: Int, _ handler: inout Handler
  ) throws(ManifestError) {
    endValue()
    try emit(.number(String(decoding: token, as: UTF8.self)), at: index, &handler)
  }
}
