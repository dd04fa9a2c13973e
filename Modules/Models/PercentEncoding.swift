/// Percent-encoding of URL parts (RFC 3986 §2) on bytes.
public enum PercentEncoding {
  /// Encodes the bytes that a request target must not contain and keeps all others, `%` included.
  public static func encodeForTarget(_ text: some StringProtocol) -> String {
    if text.utf8.allSatisfy(isTargetByte) { return String(text) }
    return encode(text.utf8, keeping: isTargetByte)
  }

  /// Encodes `text` as one opaque path segment: all characters but unreserved ones are encoded.
  public static func encodeSegment(_ text: String) -> String {
    // "." and ".." would be interpreted as path navigation; their dots can be encoded.
    if text == "." || text == ".." { return text.utf8.map { _ in "%2E" }.joined() }
    return encode(text.utf8, keeping: isUnreserved)
  }

  /// Decodes `%XX`. A `%` without two hexadecimal digits after it is kept; invalid UTF-8 becomes U+FFFD.
  public static func decode(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
      {
        output.append(high << 4 | low)
        index += 3
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func encode(_ bytes: some Sequence<UInt8>, keeping: (UInt8) -> Bool) -> String {
    var output: [UInt8] = []
    for byte in bytes {
      if keeping(byte) {
        output.append(byte)
      } else {
        output.append(UInt8(ascii: "%"))
        output.append(hexDigits[Int(byte >> 4)])
        output.append(hexDigits[Int(byte & 15)])
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  package static let hexDigits = Array("0123456789ABCDEF".utf8)

  package static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: false
    }
  }

  package static func isUnreserved(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == 0x2d || byte == 0x2e || byte == 0x5f || byte == 0x7e
  }

  /// Whether the byte is visible ASCII and none of the characters that browsers encode in a path: `"`, `<`,
  /// `>`, `` ` ``, `{`, `}`, `|`, `^`.
  static func isTargetByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x22, 0x3c, 0x3e, 0x5e, 0x60, 0x7b, 0x7c, 0x7d: false
    default: byte > 0x20 && byte < 0x7f
    }
  }

  static func isSchemeByte(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == 0x2b || byte == 0x2d || byte == 0x2e
  }

  static func isHostByte(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == 0x2d || byte == 0x2e || byte == 0x5f || byte == 0x3a
  }

  static func isIPv6Byte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3a, 0x41...0x46, 0x61...0x66, 0x2e: true
    default: false
    }
  }
}
