extension JSONParser {
  /// Returns the position of the byte at `index` of the current chunk.
  func position(_ index: Int) -> JSONError.Position { position(at: offset &+ Int64(index)) }

  /// Returns the position of an offset on the current line.
  func position(at place: Int64) -> JSONError.Position {
    JSONError.Position(offset: place, line: line, column: Int(clamping: place &- lineStart &+ 1))
  }

  /// Returns the position of an event that ``next(_:_:)`` has just returned.
  ///
  /// - Parameter index: The place in the chunk after the event.
  public func position(of event: JSONEvent, endingAt index: Int) -> JSONError.Position {
    // The end of a number is known at the byte after it.
    if case .number = event { return position(index) }
    return position(index &- 1)
  }

  func tooLong() -> JSONError {
    JSONError(
      .tooLong, at: position(at: tokenStart), "a text of more than \(policy.textLength) bytes")
  }

  func badUTF8(at index: Int) -> JSONError {
    JSONError(.notUTF8, at: position(index), "the text is not UTF-8")
  }

  func unexpected(_ byte: UInt8, at index: Int) -> JSONError {
    JSONError(cause, at: position(index), "\(expectation), found \(Self.name(byte))")
  }

  /// The error if the text ends in the current state.
  var truncated: JSONError {
    JSONError(cause, at: position(0), isTruncated: true, truncationReason)
  }

  /// The cause of the error that any unexpected byte is in the current state.
  private var cause: JSONError.Cause {
    switch state {
    case .start, .secondByteOfMark, .thirdByteOfMark, .value, .firstElement, .literal, .word:
      .valueMissing
    case .firstKey, .key: .nameMissing
    case .colon: .colonMissing
    case .separator: .separatorMissing
    case .end: .bytesAfterValue
    case .string: .controlCharacter
    case .escape: .badEscape
    case .unicode: .hexadecimalDigitMissing
    case .minus, .zero, .integer, .point, .fraction, .exponentMark, .exponentSign, .exponent:
      .digitMissing
    }
  }

  private static func name(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\""): "a quotation mark"
    case 0x21..<0x7f: "\"\(Unicode.Scalar(byte))\""
    case 0x20: "a space"
    case 0x0a, 0x0d: "a line break"
    default: "the byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }

  private var expectation: String {
    switch state {
    case .start, .secondByteOfMark, .thirdByteOfMark, .value: "expected a value"
    case .firstElement: "expected a value or \"]\""
    case .firstKey: "expected a name in quotation marks or \"}\""
    case .key: "expected a name in quotation marks"
    case .colon: "expected \":\""
    case .separator:
      isInObject ? "expected \",\" or \"}\"" : "expected \",\" or \"]\""
    case .end: "expected nothing after the value"
    case .string: "expected text or a quotation mark"
    case .escape: "expected one of \"\\/bfnrtu after a backslash"
    case .unicode: "expected four hexadecimal digits after \\u"
    case .minus, .zero, .integer, .point, .fraction, .exponentMark, .exponentSign, .exponent:
      "expected a number"
    case .literal, .word: "expected true, false or null"
    }
  }

  /// The reason why the text must not end in the current state.
  private var truncationReason: String {
    switch state {
    case .start: "is empty"
    case .value where containers.isEmpty: "is empty"
    case .string, .escape, .unicode: "ends inside a text"
    case .minus, .point, .exponentMark, .exponentSign: "ends inside a number"
    case .literal: "ends inside a word"
    default:
      isInObject ? "ends before its last \"}\"" : "ends before its last \"]\""
    }
  }
}
