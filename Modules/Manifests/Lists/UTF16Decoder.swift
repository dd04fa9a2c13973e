/// Converts a text from UTF-16 to UTF-8 in pieces of any size. Half of a surrogate pair becomes U+FFFD, and a byte order
/// mark remains. A value without input or output.
struct UTF16Decoder: Sendable {
  private let isBigEndian: Bool
  /// The first byte of a code unit whose second one has not been received.
  private var half: UInt8?
  /// The first half of a surrogate pair whose second one has not been received.
  private var high: UInt16?

  /// - Parameter head: The first bytes of the text, at least four; the result is nil if they are no UTF-16.
  init?(_ head: [UInt8]) {
    guard ManifestRecognition.encoding(head) == "UTF-16" else { return nil }
    // Without a byte order mark, the first characters are ASCII.
    isBigEndian = head[0] == 0xfe || head[0] == 0
  }

  mutating func decode(_ bytes: RawSpan) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.byteCount)
    for index in 0..<bytes.byteCount {
      let byte = bytes.byte(index)
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let (upper, lower) = isBigEndian ? (first, byte) : (byte, first)
      add(UInt16(upper) << 8 | UInt16(lower), to: &text)
    }
    return text
  }

  /// Returns the end of a text that ends within a character.
  mutating func finish() -> [UInt8] {
    guard half != nil || high != nil else { return [] }
    (half, high) = (nil, nil)
    return Self.replacement
  }

  private static let replacement = Array("\u{fffd}".utf8)

  private mutating func add(_ unit: UInt16, to text: inout [UInt8]) {
    if let first = high {
      high = nil
      if UTF16.isTrailSurrogate(unit) {
        let value = 0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(unit) - 0xdc00)
        return Self.append(value, to: &text)
      }
      text += Self.replacement
    }
    if UTF16.isLeadSurrogate(unit) {
      high = unit
    } else {
      Self.append(UTF16.isTrailSurrogate(unit) ? 0xfffd : UInt32(unit), to: &text)
    }
  }

  /// Appends a scalar value, which is no surrogate.
  private static func append(_ value: UInt32, to text: inout [UInt8]) {
    func byte(_ prefix: UInt32, _ shift: UInt32) -> UInt8 {
      UInt8(
        truncatingIfNeeded: prefix | (prefix == 0x80 ? (value >> shift) & 0x3f : value >> shift))
    }
    switch value {
    case ..<0x80: text.append(UInt8(truncatingIfNeeded: value))
    case ..<0x800: text += [byte(0xc0, 6), byte(0x80, 0)]
    case ..<0x10000: text += [byte(0xe0, 12), byte(0x80, 6), byte(0x80, 0)]
    default: text += [byte(0xf0, 18), byte(0x80, 12), byte(0x80, 6), byte(0x80, 0)]
    }
  }
}
