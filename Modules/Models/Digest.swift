/// A SHA-256 value, which identifies content.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes as four big-endian words.
  public let words: (UInt64, UInt64, UInt64, UInt64)

  /// - Parameter words: The 32 bytes as four big-endian words.
  public init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

  /// - Parameter bytes: Exactly 32 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    var values: [UInt64] = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() {
      values[index / 8] = values[index / 8] << 8 | UInt64(byte)
    }
    words = (values[0], values[1], values[2], values[3])
  }

  /// - Parameter hexadecimal: 64 hexadecimal digits of either case.
  public init?(hexadecimal: some StringProtocol) {
    guard hexadecimal.utf8.count == 64, let bytes = Hexadecimal.bytes(hexadecimal) else {
      return nil
    }
    self.init(bytes)
  }

  public var bytes: [UInt8] {
    [words.0, words.1, words.2, words.3].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }
  }

  /// The digest as 64 lower-case hexadecimal digits.
  public var description: String {
    String(unsafeUninitializedCapacity: 64) { text in
      var position = 0
      for word in [words.0, words.1, words.2, words.3] {
        for shift in stride(from: 60, through: 0, by: -4) {
          let digit = UInt8(truncatingIfNeeded: word >> UInt64(shift)) & 15
          text[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
          position += 1
        }
      }
      return position
    }
  }

  public static func == (a: Digest, b: Digest) -> Bool { a.words == b.words }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}
