/// Parses the whole seconds of cache fields such as `Age` and `max-age` (RFC 9111 §1.2.2).
public enum DeltaSeconds {
  /// The value that stands for every larger number: 68 years, as the RFC specifies.
  public static let maximum: Int64 = 1 << 31

  /// Parses decimal digits; nil for any other text.
  public static func parse(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
    var seconds: Int64 = 0
    for digit in text.utf8 {
      // Clamping to `maximum`, far below the end of 64 bits, prevents an overflow by further
      // digits.
      seconds = min(seconds * 10 + Int64(digit - UInt8(ascii: "0")), maximum)
    }
    return seconds
  }
}
