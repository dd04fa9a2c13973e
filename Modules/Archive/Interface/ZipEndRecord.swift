import Glibc

/// The position of the central directory, from the record at the end of a zip file.
package struct ZipEndRecord {
  package let directoryStart: Int64
  package let directoryEnd: Int64
  /// The end of the archive after its comment; other bytes may follow.
  package private(set) var archiveEnd: Int64
  /// The number of bytes before the archive, for instance of a self-extracting program. Offsets in the
  /// archive are relative to its own beginning.
  package let prefix: Int64

  /// The size in bytes of the searched area: the longest comment, the record, and other bytes that may
  /// follow.
  package static let searched: Int64 = 128 << 10

  /// The maximum size in bytes of an end record with its comment and the zip64 records before it.
  package static let maximumEndBytes: Int64 = 66 << 10

  /// - Parameter searched: The number of bytes at the end of the file that are searched for the record.
  package init?(_ file: some ZipBytes, searching searched: Int64 = Self.searched) {
    let count = min(file.size, searched)
    let start = file.size - count
    guard count >= 22, let tail = file.bytes(at: start, count: Int(count)) else { return nil }
    for index in Self.signatures(in: tail).reversed() where index <= tail.count - 22 {
      let position = start + Int64(index)
      let size = tail.uint32(at: index + 12)
      let offset = tail.uint32(at: index + 16)
      let commentEnd = min(position + 22 + Int64(tail.uint16(at: index + 20)), file.size)
      if let wide = Self(wide: file, before: position) {
        self = wide
        archiveEnd = commentEnd
        return
      }
      if let narrow = Self(end: position, size: size, offset: offset) {
        self = narrow
        archiveEnd = commentEnd
        return
      }
    }
    return nil
  }

  /// Returns the possible offsets of an end record, in ascending order. `memchr` skips other bytes quickly,
  /// which matters because every download of an unknown format is searched.
  private static func signatures(in bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { bytes in
      var found: [Int] = []
      guard let base = bytes.baseAddress else { return found }
      var index = 0
      while let start = memchr(base + index, 0x50, bytes.count - index) {
        index = UnsafeRawPointer(start) - base
        if bytes[index...].starts(with: [0x50, 0x4b, 5, 6]) { found.append(index) }
        index += 1
      }
      return found
    }
  }

  private init?(end: Int64, size: Int64, offset: Int64) {
    guard size <= end, offset <= end - size else { return nil }
    prefix = end - size - offset
    directoryStart = end - size
    directoryEnd = end
    archiveEnd = end
  }

  /// Reads a zip64 end record, to which a locator before the ordinary end record points.
  private init?(wide file: some ZipBytes, before position: Int64) {
    guard let locator = file.bytes(at: position - 20, count: 20),
      locator.starts(with: [0x50, 0x4b, 6, 7])
    else { return nil }
    for candidate in [locator.uint64(at: 8), position - 76] {
      guard let record = file.bytes(at: candidate, count: 56),
        record.starts(with: [0x50, 0x4b, 6, 6])
      else { continue }
      self.init(end: candidate, size: record.uint64(at: 40), offset: record.uint64(at: 48))
      return
    }
    return nil
  }
}
