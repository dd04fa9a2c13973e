/// Zstandard frames made by hand (RFC 8878 §3.1), without compression and without a checksum.
public enum ZstdFrame {
  /// A frame with the window descriptor `window`: blocks of at most 1,000 bytes.
  public static func of(_ bytes: [UInt8], window: UInt8 = 0x38) -> [UInt8] {
    var frame = magic + [0x00, window]
    var start = 0
    repeat {
      let end = min(start + 1_000, bytes.count)
      frame += block(type: 0, size: end - start, isLast: end == bytes.count) + bytes[start..<end]
      start = end
    } while start < bytes.count
    return frame
  }

  /// A frame of `count` equal bytes, in blocks of 128 KiB of which each takes four bytes.
  public static func repeating(_ byte: UInt8, count: Int) -> [UInt8] {
    var frame = magic + [0x00, 0x38]
    var rest = count
    while rest > 0 {
      let size = min(rest, 128 << 10)
      rest -= size
      frame += block(type: 1, size: size, isLast: rest == 0) + [byte]
    }
    return frame
  }

  /// A frame without content (RFC 8878 §3.1.2).
  public static func skippable(_ bytes: [UInt8], kind: UInt8 = 0) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
    return [0x50 | kind, 0x2a, 0x4d, 0x18] + size + bytes
  }

  private static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]

  private static func block(type: Int, size: Int, isLast: Bool) -> [UInt8] {
    let header = size << 3 | type << 1 | (isLast ? 1 : 0)
    return (0..<3).map { UInt8(truncatingIfNeeded: header >> ($0 * 8)) }
  }
}
