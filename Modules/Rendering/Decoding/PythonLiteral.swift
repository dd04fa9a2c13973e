/// Values in the form of Python's `repr`.
enum PythonLiteral {
  /// Returns a literal such as `b'\xff'`.
  static func bytes(_ bytes: some Sequence<UInt8>) -> String {
    let quote: Unicode.Scalar =
      bytes.contains(UInt8(ascii: "'")) && !bytes.contains(UInt8(ascii: "\"")) ? "\"" : "'"
    var literal = "b\(quote)"
    for byte in bytes {
      let scalar = Unicode.Scalar(byte)
      literal += scalar.isASCII ? escaped(scalar, quote) : escaped("x", scalar, digits: 2)
    }
    return literal + "\(quote)"
  }

  /// Returns a literal of one character, such as `'a'`.
  static func text(_ scalar: Unicode.Scalar) -> String {
    let quote: Unicode.Scalar = scalar == "'" ? "\"" : "'"
    return "\(quote)\(escaped(scalar, quote))\(quote)"
  }

  private static func escaped(_ scalar: Unicode.Scalar, _ quote: Unicode.Scalar) -> String {
    switch scalar {
    case "\\", quote: "\\\(scalar)"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case _ where isPrintable(scalar): "\(scalar)"
    case ..."\u{ff}": escaped("x", scalar, digits: 2)
    case ..."\u{ffff}": escaped("u", scalar, digits: 4)
    default: escaped("U", scalar, digits: 8)
    }
  }

  private static func escaped(_ kind: String, _ scalar: Unicode.Scalar, digits: Int) -> String {
    "\\" + kind + hexadecimal(scalar.value, digits: digits)
  }

  /// Whether Python's `isprintable` accepts the character.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    case .spaceSeparator: scalar == " "
    default: true
    }
  }

  /// Returns a number in lower case with at least `digits` digits.
  static func hexadecimal(_ value: some BinaryInteger, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

extension String {
  /// Returns the string without the characters at both ends that satisfy a condition.
  func trimmed(_ isTrimmed: (Unicode.Scalar) -> Bool) -> String {
    let rest = unicodeScalars.drop(while: isTrimmed)
    let count = rest.reversed().prefix(while: isTrimmed).count
    return String(rest.dropLast(count))
  }
}
