/// The bytes of a tar archive (POSIX.1-1988, `ustar`) that is written from front to back.
///
/// Owner, mode and times are the same for all members, so that the same samples give the same bytes.
public enum TarArchive {
  static let blockSize = 512
  /// Archives are padded to a multiple of this size, as tar(1) and Python do.
  static let recordSize = 10_240

  /// Returns the header of a regular file.
  /// - Parameters:
  ///   - name: An ASCII name of at most 100 bytes.
  ///   - size: The size of the file in bytes, at most 8 GiB - 1.
  public static func header(_ name: String, size: Int) -> [UInt8] {
    precondition(name.utf8.count <= 100 && size >= 0 && size < 1 << 33)
    var block = [UInt8](repeating: 0, count: blockSize)
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
    }
    func octal(_ value: Int, digits: Int) -> String {
      let text = String(value, radix: 8)
      return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
    put(name, at: 0)
    put(octal(0o444, digits: 7), at: 100)
    put(octal(0, digits: 7), at: 108)
    put(octal(0, digits: 7), at: 116)
    put(octal(size, digits: 11), at: 124)
    put(octal(0, digits: 11), at: 136)
    // The checksum is computed as if its own field were spaces.
    put("        ", at: 148)
    put("0", at: 156)
    put("ustar\u{0}00", at: 257)
    put("bigdata", at: 265)
    put("bigdata", at: 297)
    let sum = block.reduce(0) { $0 + Int($1) }
    put(octal(sum, digits: 6) + "\u{0} ", at: 148)
    return block
  }

  /// The number of zeros after a file of this size.
  public static func padding(after size: Int) -> Int { (blockSize - size % blockSize) % blockSize }

  /// The number of zeros that end an archive with this many bytes.
  public static func ending(after size: Int64) -> Int {
    let end = Int(size % Int64(recordSize)) + 2 * blockSize
    return 2 * blockSize + (recordSize - end % recordSize) % recordSize
  }
}
