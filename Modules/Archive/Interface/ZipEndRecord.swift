import Glibc

/// Where the central directory lies, from the record at the end of a zip file.
package struct ZipEndRecord {
  package let directoryStart: Int64
  package let directoryEnd: Int64
  /// Where the archive ends, behind its comment; bytes may follow.
  package private(set) var archiveEnd: Int64
  /// Bytes before the archive, of a self-extracting program for instance; offsets count from after it.
  package let prefix: Int64

  /// The longest comment, the record itself, and some junk after it.
  package static let searched: Int64 = 128 << 10

  /// The longest comment and the record itself, with those of zip64 before it.
  package static let longestEnd: Int64 = 66 << 10

  /// - Parameter searched: bytes at the end of the file among which the record is looked for.
  package init?(_ file: ArchiveFile, searching searched: Int64 = Self.searched) {
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

  /// Where an end record may begin, in order. Every download of an unknown format is searched, so `memchr`
  /// skips what cannot begin one.
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

  /// Zip64: a locator stands before the record and points to a wider one.
  private init?(wide file: ArchiveFile, before position: Int64) {
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
