/// Bytes as hexadecimal digits, two for each byte.
public enum Hexadecimal {
  /// Returns the bytes; nil for an odd number of digits or another character. Digits of either case are read.
  ///
  /// The function is inlinable, so that the modules that read lists specialize it for their strings.
  @inlinable
  public static func bytes(_ digits: some StringProtocol) -> [UInt8]? {
    let count = digits.utf8.count
    guard count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count / 2)
    var high: UInt8?
    for digit in digits.utf8 {
      guard let value = value(of: digit) else { return nil }
      if let upper = high {
        bytes.append(upper << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  /// Returns the digits of the bytes, in lower case.
  public static func digits(of bytes: some Collection<UInt8>) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      var position = 0
      for byte in bytes {
        text[position] = digit(byte >> 4)
        text[position + 1] = digit(byte & 15)
        position += 2
      }
      return position
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  @inlinable
  static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
