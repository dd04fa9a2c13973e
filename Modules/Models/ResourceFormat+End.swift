extension ResourceFormat {
  /// The number of bytes at the beginning of a file that `isEnded` examines.
  public static let beginningLength = 12
  /// The number of bytes at the end of a file that `isEnded` examines.
  public static let endLength = 22

  /// Whether a file ends in the way in which the format marks the end of a whole file. Bytes may be missing before the
  /// mark, or be damaged, which only a decoder finds.
  /// - Parameters:
  ///   - beginning: The first `beginningLength` bytes.
  ///   - end: The last `endLength` bytes; fewer if the file is shorter.
  ///   - byteCount: The length of the file.
  public func isEnded(beginning: [UInt8], end: [UInt8], byteCount: Int64) -> Bool {
    switch self {
    // EOI.
    case .jpeg: return end.suffix(2) == [0xff, 0xd9]
    // The chunk IEND, which is empty and has a constant checksum.
    case .png:
      return end.suffix(12) == [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]
    // The end of the last sub-blocks, and the trailer.
    case .gif: return end.suffix(2) == [0, 0x3b]
    // The size of the RIFF chunk, which is padded to an even number.
    case .webp:
      let size = Self.number(beginning, at: 4)
      return size > 0 && size + size % 2 + 8 == byteCount
    // The end of central directory record, without a comment: the directory stands directly before it.
    case .zip:
      guard end.count == Self.endLength, end.starts(with: [0x50, 0x4b, 5, 6]) else { return false }
      return end[20] == 0 && end[21] == 0
        && Self.number(end, at: 12) + Self.number(end, at: 16) + Int64(Self.endLength) == byteCount
    default: return false
    }
  }

  /// Returns a number of 32 bits in little-endian order; 0 if there are not so many bytes.
  private static func number(_ bytes: [UInt8], at offset: Int) -> Int64 {
    guard bytes.count >= offset + 4 else { return 0 }
    return bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int64($1) }
  }
}
