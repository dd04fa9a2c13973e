/// Base64 with padding (RFC 4648 §4).
public enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  public static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for position in 0..<4 {
        let digit = digits[Int(bits >> UInt32(18 - 6 * position) & 63)]
        text.append(position <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text without line breaks.
  /// - Returns: nil if the text has another character, a wrong length, or padding that is not zero bits.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let input = Array(text.utf8)
    guard input.count.isMultiple(of: 4) else { return nil }
    let padding = input.suffix(2).count { $0 == UInt8(ascii: "=") }
    let data = input.dropLast(padding)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(input.count / 4 * 3)
    var bits: UInt32 = 0
    for (offset, byte) in data.enumerated() {
      guard let value = value(of: byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      if offset & 3 == 3 {
        bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
        bits = 0
      }
    }
    switch data.count & 3 {
    case 0: return bytes
    case 2 where bits & 0xf == 0: return bytes + [UInt8(truncatingIfNeeded: bits >> 4)]
    case 3 where bits & 0x3 == 0:
      return bytes + [10, 2].map { UInt8(truncatingIfNeeded: bits >> $0) }
    default: return nil
    }
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x41...0x5a: digit - 0x41
    case 0x61...0x7a: digit - 0x61 + 26
    case 0x30...0x39: digit - 0x30 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
