import Glibc

/// The position of the central directory, from the record at the end of a zip file.
package struct ZipEndRecord {
  package let directoryStart: Int64
  package let directoryEnd: Int64
  /// The end of the archive after its comment; other bytes may follow.
  package private(set) var archiveEnd: Int64
  /// Whether the comment ends exactly at the end of the file.
  package private(set) var endsFile = false
  /// The number of bytes before the archive, for instance of a self-extracting program. Offsets in the
  /// archive are relative to its own beginning.
  package let prefix: Int64

  /// The size in bytes of the searched area: the longest comment, the record, and other bytes that may
  /// follow.
  package static let searched: Int64 = 128 << 10

  /// The maximum size in bytes of an end record with its comment and the zip64 records before it.
  package static let maximumEndBytes: Int64 = 66 << 10

  /// Finds the last record whose comment ends exactly at the end of the file. A comment may contain the bytes of
  /// another record, which is therefore taken only if there is no such record, for instance because other bytes
  /// follow the archive.
  /// - Parameter searched: The number of bytes at the end of the file that are searched for the record.
  package init?(_ file: some ZipBytes, searching searched: Int64 = Self.searched) {
    let count = min(file.size, searched)
    let start = file.size - count
    guard count >= 22, let tail = file.bytes(at: start, count: Int(count)) else { return nil }
    let signatures = Self.signatures(in: tail).filter { $0 <= tail.count - 22 }
    func endsFile(_ index: Int) -> Bool { index + 22 + tail.uint16(at: index + 20) == tail.count }
    let candidates = signatures.filter { !endsFile($0) } + signatures.filter(endsFile)
    for index in candidates.reversed() {
      let position = start + Int64(index)
      let found =
        Self(wide: file, before: position)
        ?? Self(
          end: position, size: tail.uint32(at: index + 12), offset: tail.uint32(at: index + 16))
      guard let found else { continue }
      self = found
      archiveEnd = min(position + 22 + Int64(tail.uint16(at: index + 20)), file.size)
      self.endsFile = endsFile(index)
      return
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
