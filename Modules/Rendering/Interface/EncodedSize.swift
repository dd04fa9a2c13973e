public import Models

/// The width and height in the header of an encoded image, in pixels.
///
/// The program compares them with the size that a worker reports, because a viewer of the image allocates
/// memory by the header. Only the formats that workers encode are supported: JPEG (ITU-T T.81, B.1 and
/// B.2.2), PNG (RFC 2083, 4.1.1) and WebP.
public struct EncodedSize: Sendable, Equatable {
  public let width: Int
  public let height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The maximum number of segments before the frame header: the project's encoder writes only a few tables.
  private static let segmentLimit = 64

  /// - Returns: nil for another format, and for bytes whose header is incomplete or malformed.
  /// - Complexity: O(1); at most 64 segments are examined.
  public init?(_ bytes: [UInt8], format: ResourceFormat) {
    let size: EncodedSize? =
      switch format {
      case .jpeg: Self.jpeg(bytes)
      case .png: Self.png(bytes)
      case .webp: Self.webp(bytes)
      default: nil
      }
    guard let size, size.width > 0, size.height > 0 else { return nil }
    self = size
  }

  /// Reads the size from the IHDR chunk, which follows the signature.
  private static func png(_ bytes: [UInt8]) -> EncodedSize? {
    let beginning: [UInt8] = [
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
    ]
    guard bytes.count >= 24, bytes.starts(with: beginning) else { return nil }
    return EncodedSize(
      width: number(bytes, at: 16) << 16 | number(bytes, at: 18),
      height: number(bytes, at: 20) << 16 | number(bytes, at: 22))
  }

  /// Reads the size from the first frame header (SOF0 to SOF15 without DHT, JPG and DAC).
  private static func jpeg(_ bytes: [UInt8]) -> EncodedSize? {
    guard bytes.starts(with: [0xff, 0xd8]) else { return nil }
    var position = 2
    for _ in 0..<segmentLimit {
      guard position + 9 <= bytes.count, bytes[position] == 0xff else { return nil }
      switch bytes[position + 1] {
      case 0xc0...0xc3, 0xc5...0xc7, 0xc9...0xcb, 0xcd...0xcf:
        return EncodedSize(
          width: number(bytes, at: position + 7), height: number(bytes, at: position + 5))
      case 0xc4, 0xc8, 0xcc, 0xdb, 0xdd, 0xe0...0xef, 0xfe:
        let length = number(bytes, at: position + 2)
        guard length >= 2 else { return nil }
        position += 2 + length
      default: return nil
      }
    }
    return nil
  }

  /// Reads the size from the first chunk of a still image: `VP8 ` (RFC 6386, 9.1), `VP8L` or `VP8X` (WebP
  /// container specification).
  private static func webp(_ bytes: [UInt8]) -> EncodedSize? {
    guard bytes.count >= 30, bytes.starts(with: "RIFF".utf8),
      bytes[8...].starts(with: "WEBPVP8".utf8)
    else { return nil }
    func little(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    switch bytes[15] {
    case UInt8(ascii: " "):
      return EncodedSize(width: little(26, 2) & 0x3fff, height: little(28, 2) & 0x3fff)
    case UInt8(ascii: "L"):
      let bits = little(21, 4)
      return EncodedSize(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
    case UInt8(ascii: "X"): return EncodedSize(width: little(24, 3) + 1, height: little(27, 3) + 1)
    default: return nil
    }
  }

  /// Reads a big-endian integer of two bytes. The caller has checked the length.
  private static func number(_ bytes: [UInt8], at offset: Int) -> Int {
    Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }
}
