/// gzip members made by hand.
public enum GzipMember {
  public static func of(_ bytes: [UInt8], checksum: UInt32? = nil, length: UInt32? = nil) -> [UInt8]
  {
    wrap(
      Deflate.compress(bytes), checksum ?? CRC32.checksum(bytes), length ?? UInt32(bytes.count))
  }

  public static func wrap(_ deflated: [UInt8], _ checksum: UInt32, _ length: UInt32) -> [UInt8] {
    let head: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    return head + deflated + bytes(checksum) + bytes(length)
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
