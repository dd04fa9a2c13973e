public import SystemCalls

/// The orientation of WebP files, which browsers do not respect, as they do in other formats.
public enum TurnedWebP {
  private static let maximumChunks = 10_000
  private static let maximumBytes = 64 << 10

  /// Whether the metadata of an extended WebP file turn or mirror its image (RFC 9649, section 2.7; EXIF 2.3, section
  /// 4.5). Blocks.
  /// - Returns: false for any other file, and for one that cannot be read.
  public static func isTurned(_ file: OwnedDescriptor) -> Bool {
    guard let head = try? file.bytes(count: 21, at: 0), head.count == 21,
      head.starts(with: "RIFF".utf8), head[8...].starts(with: "WEBPVP8X".utf8), head[20] & 8 != 0
    else { return false }
    // Usually, the metadata are behind the pixels.
    var offset: Int64 = 12
    for _ in 0..<maximumChunks {
      guard let chunk = try? file.bytes(count: 8, at: offset), chunk.count == 8,
        let size = number(chunk, 4, 4, isBigEndian: false)
      else { return false }
      if chunk.starts(with: "EXIF".utf8) {
        let block = try? file.bytes(count: min(size, maximumBytes), at: offset + 8)
        return block.map(isTurned) ?? false
      }
      offset += Int64(8 + size + size % 2)
    }
    return false
  }

  /// Whether an EXIF block states another orientation than the upright one.
  private static func isTurned(_ block: [UInt8]) -> Bool {
    // Some writers put the prefix that JPEG requires before the TIFF structure.
    let tiff = block.starts(with: "Exif\0\0".utf8) ? Array(block.dropFirst(6)) : block
    let isBigEndian = tiff.starts(with: "MM\0*".utf8)
    guard isBigEndian || tiff.starts(with: "II*\0".utf8),
      let directory = number(tiff, 4, 4, isBigEndian: isBigEndian),
      let count = number(tiff, directory, 2, isBigEndian: isBigEndian)
    else { return false }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = number(tiff, entry, 2, isBigEndian: isBigEndian) else { return false }
      guard tag == 0x0112 else { continue }
      // The type is SHORT or LONG.
      let size = number(tiff, entry + 2, 2, isBigEndian: isBigEndian) == 4 ? 4 : 2
      return number(tiff, entry + 8, size, isBigEndian: isBigEndian).map { (2...8).contains($0) }
        ?? false
    }
    return false
  }

  /// Reads an unsigned integer; nil beyond the bytes.
  private static func number(
    _ bytes: [UInt8], _ offset: Int, _ size: Int, isBigEndian: Bool
  ) -> Int? {
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    let part = bytes[offset..<offset + size]
    return (isBigEndian ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }
}
