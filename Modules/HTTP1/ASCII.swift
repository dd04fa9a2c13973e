import Glibc
import Models

/// Character classes of RFC 9110 §5.6.2 and RFC 9112.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0a
  static let carriageReturn: UInt8 = 0x0d
  static let space: UInt8 = 0x20
  static let comma: UInt8 = 0x2c
  static let colon: UInt8 = 0x3a
  static let semicolon: UInt8 = 0x3b

  /// Returns whether the byte may occur in a token. A bit mask lookup, because every byte of each field name
  /// is checked.
  static func isToken(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? tokensBelow64 : tokensFrom64) >> (byte & 63) & 1 == 1
  }

  /// The bit mask of the token bytes below 64: digits and `!#$%&'*+-.`
  private static let tokensBelow64: UInt64 = 0x03ff_6cfa_0000_0000
  /// The bit mask of the token bytes from 64 on, less 64: letters, `^`, `_`, `|`, `~` and the backquote.
  private static let tokensFrom64: UInt64 = 0x57ff_ffff_c7ff_fffe

  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// Whether the byte is a VCHAR, which a request target consists of.
  static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7f }

  /// Whether the byte is forbidden in field values and start lines (RFC 9110 §5.5).
  static func isForbidden(_ byte: UInt8) -> Bool {
    byte == 0 || byte == carriageReturn || byte == lineFeed
  }

  static func hexadecimalValue(_ byte: UInt8) -> Int64? {
    switch byte {
    case 0x30...0x39: Int64(byte) - 0x30
    case 0x41...0x46: Int64(byte) - 0x37
    case 0x61...0x66: Int64(byte) - 0x57
    default: nil
    }
  }
}

/// Access to the bytes of a message, with checked offsets. The byte searches use the C library's vectorized
/// functions, because they examine every byte of every head.
extension RawSpan {
  func byte(at offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

  @inline(__always)
  func firstOffset(of byte: UInt8, in range: Range<Int>) -> Int? {
    extracting(range).withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count)
      else { return nil }
      return range.lowerBound + start.distance(to: found)
    }
  }

  func allSatisfy(in range: Range<Int>, _ test: (UInt8) -> Bool) -> Bool {
    extracting(range).withUnsafeBytes { $0.allSatisfy(test) }
  }

  /// Returns the first offset in `range` that is not a token byte, or its end if there is none.
  func endOfToken(in range: Range<Int>) -> Int {
    extracting(range).withUnsafeBytes { bytes in
      var count = 0
      while count < bytes.count, ASCII.isToken(bytes[count]) { count += 1 }
      return range.lowerBound + count
    }
  }

  /// Returns `range` without optional white space at both ends (RFC 9110 §5.6.3).
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var lower = range.lowerBound
    var upper = range.upperBound
    while lower < upper, ASCII.isBlank(byte(at: lower)) { lower += 1 }
    while upper > lower, ASCII.isBlank(byte(at: upper - 1)) { upper -= 1 }
    return lower..<upper
  }

  func hasPrefix(_ text: StaticString, at offset: Int) -> Bool {
    guard byteCount - offset >= text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { prefix in
      prefix.indices.allSatisfy { byte(at: offset + $0) == prefix[$0] }
    }
  }

  /// Returns the bytes as text: decoded as UTF-8 if they are valid, otherwise as Latin-1.
  func text(_ range: Range<Int>) -> String { FieldText.decode(extracting(range)) }

  /// Returns the bytes for a message, with everything but visible ASCII escaped, truncated to 60 bytes.
  func escaped(_ range: Range<Int>) -> String {
    let shown = range.prefix(60)
    let text = shown.map { escape(byte(at: $0)) }.joined()
    return shown.count < range.count ? text + "…" : text
  }
}

private func escape(_ byte: UInt8) -> String {
  if byte >= 0x20 && byte < 0x7f && byte != 0x5c { return String(Unicode.Scalar(byte)) }
  let digits = String(byte, radix: 16)
  return "\\x" + (digits.count < 2 ? "0" + digits : digits)
}

/// Escapes `text` for a message, like `RawSpan.escaped(_:)`.
func escaped(_ text: some StringProtocol) -> String {
  let shown = text.utf8.prefix(60).map(escape).joined()
  return text.utf8.count > 60 ? shown + "…" : shown
}

extension Span<UInt8> {
  func allSatisfy(_ test: (UInt8) -> Bool) -> Bool {
    withUnsafeBufferPointer { $0.allSatisfy(test) }
  }
}
