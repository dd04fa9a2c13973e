/// The identifier of a download: 64 bits, not all of them 0, as 16 hexadecimal digits.
public struct GID: Hashable, Sendable, CustomStringConvertible {
  let rawValue: UInt64

  /// The number of digits of the text.
  static let length = 16

  init?(rawValue: UInt64) {
    guard rawValue != 0 else { return nil }
    self.rawValue = rawValue
  }

  /// Parses 1 to 16 hexadecimal digits; nil for another text and for 0.
  init?(_ text: String) {
    guard (1...Self.length).contains(text.utf8.count),
      text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let number = UInt64(text, radix: 16)
    else { return nil }
    self.init(rawValue: number)
  }

  public var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: Self.length - digits.utf8.count) + digits
  }
}

/// Assigns GIDs, from a random seed, so that two servers seldom assign the same one (SplitMix64).
struct GIDAllocator: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Returns a GID that is not in use.
  mutating func next(unless isUsed: (GID) -> Bool) -> GID {
    while true {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      if let gid = GID(rawValue: value ^ (value >> 31)), !isUsed(gid) { return gid }
    }
  }
}
