extension JSONEventParser {
  struct Position: Sendable {
    let offset: Int64
    let line: Int
    let column: Int
  }

  /// Returns the position of the byte at `index` of the current chunk.
  func position(_ index: Int) -> Position {
    let place = offset &+ Int64(index)
    return Position(offset: place, line: line, column: Int(clamping: place &- lineStart &+ 1))
  }

  func error(_ code: ManifestError.Code, at index: Int, _ reason: String) -> ManifestError {
    error(code, at: position(index), reason)
  }

  func tooLong() -> ManifestError {
    error(
      .tooLong, at: tokenStart,
      "a text of more than \(limits.textLength) bytes (limits.manifestTextBytes)")
  }

  func badUTF8(at index: Int) -> ManifestError {
    error(.encoding, at: index, "the text is not UTF-8; convert it to UTF-8 first")
  }

  func unexpected(_ byte: UInt8, at index: Int) -> ManifestError {
    let place = offset &+ Int64(index)
    // JSON begins with an ASCII character, and its second character is not NUL (RFC 4627 §3).
    if byte == 0 && place < 4 || place == 0 && (byte == 0xfe || byte == 0xff) {
      return error(
        .encoding, at: index,
        "this is not text in UTF-8; convert UTF-16 or UTF-32 first")
    }
    return error(.notJSON, at: index, "\(expectation), found \(Self.name(byte))")
  }

  private func error(
    _ code: ManifestError.Code, at place: Position, _ reason: String
  ) -> ManifestError {
    ManifestError(
      code, file: file, offset: place.offset, line: place.line, column: place.column, reason)
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
      containers.last == true ? "expected \",\" or \"}\"" : "expected \",\" or \"]\""
    case .end: "expected nothing after the end of the list"
    case .string: "expected text or a quotation mark"
    case .escape: "expected one of \"\\/bfnrtu after a backslash"
    case .unicode: "expected four hexadecimal digits after \\u"
    case .minus, .zero, .integer, .point, .fraction, .exponentMark, .exponentSign, .exponent:
      "expected a number"
    case .literal: "expected true, false or null"
    }
  }

  /// The reason why the text must not end in the current state.
  var truncationReason: String {
    switch state {
    case .start: "is empty"
    case .value where containers.isEmpty: "is empty"
    case .string, .escape, .unicode: "ends inside a text"
    case .minus, .point, .exponentMark, .exponentSign: "ends inside a number"
    case .literal: "ends inside true, false or null"
    default:
      containers.last == true ? "ends before its last \"}\"" : "ends before its last \"]\""
    }
  }
}
