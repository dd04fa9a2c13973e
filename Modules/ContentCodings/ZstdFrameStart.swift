/// The header of a frame (RFC 8878 §3.1), collected and examined before the library sees it.
///
/// The library would also decode the formats of its early versions, and, if a frame arrives in one piece, a
/// frame with a window of any size. If a header arrives in two pieces, the library may take the second one for
/// another frame.
struct ZstdFrameStart {
  enum Problem {
    case notAFrame, windowTooLarge
  }

  /// The base-2 logarithm of the largest window in bytes.
  static let windowBits: Int32 = 23

  /// At most 18 bytes.
  private(set) var bytes: [UInt8] = []

  var isComplete: Bool { length.map { bytes.count >= $0 } ?? false }

  /// Adds the next byte of the frame, and returns the problem that it reveals.
  mutating func append(_ byte: UInt8) -> Problem? {
    let index = bytes.count
    bytes.append(byte)
    if index < 4 { return isFrame || isSkippable ? nil : .notAFrame }
    guard index == 5, isFrame, let windowSize else { return nil }
    return windowSize > 1 << UInt64(Self.windowBits) ? .windowTooLarge : nil
  }

  /// The length of the header in bytes; nil before it is known.
  private var length: Int? {
    guard bytes.count >= 5 else { return nil }
    guard isFrame else { return 8 }
    let descriptor = bytes[4]
    let dictionaryLength = [0, 1, 2, 4][Int(descriptor & 3)]
    let sizeLength = [hasSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
    return 5 + (hasSingleSegment ? 0 : 1) + dictionaryLength + sizeLength
  }

  private var isFrame: Bool { [0x28, 0xb5, 0x2f, 0xfd].starts(with: bytes.prefix(4)) }

  /// Whether the bytes begin a frame without content (RFC 8878 §3.1.2).
  private var isSkippable: Bool {
    bytes.first.map { $0 >> 4 == 5 } ?? true
      && [0x2a, 0x4d, 0x18].starts(with: bytes.prefix(4).dropFirst())
  }

  private var hasSingleSegment: Bool { bytes[4] & 0x20 != 0 }

  /// The size of the window in bytes; nil for a frame with a single segment, whose window is the content.
  private var windowSize: UInt64? {
    guard !hasSingleSegment else { return nil }
    let base = UInt64(1) << (10 + UInt64(bytes[5] >> 3))
    return base + base / 8 * UInt64(bytes[5] & 7)
  }
}
