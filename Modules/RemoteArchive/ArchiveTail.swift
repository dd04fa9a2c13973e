import Archive

/// The known bytes at the end of a remote file.
struct ArchiveTail: ZipBytes {
  /// The size of the whole file in bytes.
  let size: Int64
  /// The position of the first known byte.
  private(set) var start: Int64
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8], at start: Int64, of size: Int64) {
    self.size = size
    self.start = start
    self.bytes = bytes
  }

  /// Adds the bytes directly before `start`.
  mutating func prepend(_ earlier: [UInt8]) {
    bytes.insert(contentsOf: earlier, at: 0)
    start -= Int64(earlier.count)
  }

  func bytes(at position: Int64, count: Int) -> [UInt8]? {
    guard position >= start, position <= size, count >= 0 else { return nil }
    let offset = position - start
    guard offset <= Int64(bytes.count), Int64(count) <= Int64(bytes.count) - offset else {
      return nil
    }
    return Array(bytes[Int(offset)..<Int(offset) + count])
  }
}
