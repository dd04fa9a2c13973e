/// Validates one multi-byte UTF-8 sequence byte by byte (RFC 3629 §4: no overlong forms, no surrogates,
/// nothing above U+10FFFF), so that a sequence may be split between chunks.
struct UTF8Sequence: Sendable {
  private var missing: UInt8 = 0
  private var lower: UInt8 = 0x80
  private var upper: UInt8 = 0xbf

  var isComplete: Bool { missing == 0 }

  /// - Parameter byte: A byte of 0x80 or more.
  /// - Returns: false for a byte that cannot begin a sequence.
  mutating func start(_ byte: UInt8) -> Bool {
    (lower, upper) = (0x80, 0xbf)
    switch byte {
    case 0xc2...0xdf: missing = 1
    case 0xe0: (missing, lower) = (2, 0xa0)
    case 0xed: (missing, upper) = (2, 0x9f)
    case 0xe1...0xef: missing = 2
    case 0xf0: (missing, lower) = (3, 0x90)
    case 0xf4: (missing, upper) = (3, 0x8f)
    case 0xf1...0xf3: missing = 3
    default: return false
    }
    return true
  }

  /// - Returns: false for a byte that cannot continue the sequence.
  mutating func accept(_ byte: UInt8) -> Bool {
    guard missing > 0, byte >= lower, byte <= upper else { return false }
    (lower, upper) = (0x80, 0xbf)
    missing &-= 1
    return true
  }
}
