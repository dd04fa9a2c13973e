extension JSONParser {
  /// Reads a string up to an escape or the end of the chunk. A string that lies entirely in the chunk is
  /// created directly from its bytes.
  mutating func string(_ bytes: RawSpan, _ index: inout Int) throws(JSONError) -> JSONEvent? {
    if highSurrogate != 0, bytes.byte(index) != UInt8(ascii: "\\") {
      try flushSurrogate(at: index)
    }
    let start = index
    // At most the allowed number of bytes is examined, so that the error does not depend on how the string is
    // divided into chunks.
    let end = start &+ min(bytes.byteCount &- start, max(0, policy.textLength &- token.count))
    let isASCII: Bool
    (index, isASCII) = try endOfText(bytes, from: start, to: end)
    guard index < bytes.byteCount else {
      append(bytes, start, index)
      return nil
    }
    switch bytes.byte(index) {
    case UInt8(ascii: "\"") where sequence.isComplete:
      let text: String
      if token.isEmpty {
        text = Self.text(bytes, start, index, isASCII: isASCII)
      } else {
        append(bytes, start, index)
        text = String(decoding: token, as: UTF8.self)
      }
      index &+= 1
      return try endString(text)
    case UInt8(ascii: "\\") where sequence.isComplete:
      append(bytes, start, index)
      state = .escape
    case let byte where sequence.isComplete && byte < 0x20:
      guard policy.allowsRawStrings else { throw unexpected(byte, at: index) }
      guard index < end else { throw tooLong() }
      append(bytes, start, index &+ 1)
    default:
      throw tooLong()
    }
    index &+= 1
    return nil
  }

  /// Returns the end of the unescaped bytes after validating their UTF-8, and whether they are ASCII.
  private mutating func endOfText(
    _ bytes: RawSpan, from start: Int, to end: Int
  ) throws(JSONError) -> (end: Int, isASCII: Bool) {
    var index = start
    var isASCII = sequence.isComplete
    while true {
      while index < end, !sequence.isComplete {
        guard sequence.accept(bytes.byte(index)) else { throw badUTF8(at: index) }
        index &+= 1
      }
      index = bytes.endOfPlainText(from: index, to: end)
      guard index < end, bytes.byte(index) >= 0x80 else { return (index, isASCII) }
      guard sequence.start(bytes.byte(index)) else { throw badUTF8(at: index) }
      isASCII = false
      index &+= 1
    }
  }

  private mutating func endString(_ text: consuming String) throws(JSONError) -> JSONEvent {
    guard isKey else {
      endValue()
      return .string(text)
    }
    state = .colon
    if !names.isEmpty, !names[names.count &- 1].insert(Array(text.utf8)).inserted {
      let shown = String(text.unicodeScalars.prefix(80))
      throw JSONError(
        .repeatedName, at: position(at: tokenStart), "the key \"\(shown)\" occurs twice")
    }
    return .key(text)
  }

  /// Handles the byte after a backslash, or a hexadecimal digit of a `\u` escape.
  ///
  /// - Returns: false if the byte stands for itself and must be processed again.
  mutating func escape(_ byte: UInt8, at index: Int) throws(JSONError) -> Bool {
    if state == .unicode {
      try hexadecimalDigit(byte, at: index)
      return true
    }
    if byte == UInt8(ascii: "u") {
      (state, codeUnit, codeUnitDigits) = (.unicode, 0, 0)
      return true
    }
    let value: UInt8
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): value = byte
    case UInt8(ascii: "b"): value = 0x08
    case UInt8(ascii: "f"): value = 0x0c
    case UInt8(ascii: "n"): value = 0x0a
    case UInt8(ascii: "r"): value = 0x0d
    case UInt8(ascii: "t"): value = 0x09
    default:
      guard policy.allowsRawStrings else { throw unexpected(byte, at: index) }
      state = .string
      return false
    }
    try flushSurrogate(at: index)
    try append(Unicode.Scalar(value))
    state = .string
    return true
  }

  private mutating func hexadecimalDigit(_ byte: UInt8, at index: Int) throws(JSONError) {
    let digit: UInt8
    switch byte {
    case 0x30...0x39: digit = byte &- 0x30
    case 0x41...0x46: digit = byte &- 0x41 &+ 10
    case 0x61...0x66: digit = byte &- 0x61 &+ 10
    default: throw unexpected(byte, at: index)
    }
    codeUnit = codeUnit << 4 | UInt16(digit)
    codeUnitDigits &+= 1
    guard codeUnitDigits == 4 else { return }
    state = .string
    try endCodeUnit(at: index)
  }

  private mutating func endCodeUnit(at index: Int) throws(JSONError) {
    switch codeUnit {
    case 0xd800...0xdbff:
      try flushSurrogate(at: index)
      highSurrogate = codeUnit
    case 0xdc00...0xdfff where highSurrogate != 0:
      let high = UInt32(highSurrogate & 0x3ff) << 10
      highSurrogate = 0
      try append(Unicode.Scalar(0x10000 &+ high &+ UInt32(codeUnit & 0x3ff)) ?? "\u{fffd}")
    default:
      try flushSurrogate(at: index)
      guard let scalar = Unicode.Scalar(codeUnit) else { return try loneSurrogate(at: index) }
      try append(scalar)
    }
  }

  /// Handles a high surrogate that is not followed by a low one.
  private mutating func flushSurrogate(at index: Int) throws(JSONError) {
    guard highSurrogate != 0 else { return }
    highSurrogate = 0
    try loneSurrogate(at: index)
  }

  private mutating func loneSurrogate(at index: Int) throws(JSONError) {
    guard policy.allowsLoneSurrogates else {
      throw JSONError(.loneSurrogate, at: position(index), "a string contains a lone surrogate")
    }
    try append("\u{fffd}")
  }

  private mutating func append(_ scalar: Unicode.Scalar) throws(JSONError) {
    token.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    guard token.count <= policy.textLength else { throw tooLong() }
  }

  private mutating func append(_ bytes: RawSpan, _ start: Int, _ end: Int) {
    bytes.extracting(start..<end).withUnsafeBytes { token.append(contentsOf: $0) }
  }

  /// - Parameter isASCII: Whether all the bytes, which are valid UTF-8, are ASCII.
  private static func text(_ bytes: RawSpan, _ start: Int, _ end: Int, isASCII: Bool) -> String {
    bytes.extracting(start..<end).withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: UInt8.self) { bytes in
        String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
      }
    }
  }
}
