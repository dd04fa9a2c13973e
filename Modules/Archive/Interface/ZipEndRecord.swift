import Glibc

/// The position of the central directory, from the record at the end of a zip file.
package struct ZipEndRecord {
  package let directoryStart: Int64
  package let directoryEnd: Int64
  /// The end of the record without its comment. Libraries take the last record that they find, and a comment may
  /// contain the bytes of another one, so they must not read beyond this position.
  package private(set) var recordEnd: Int64
  /// Whether the comment ends exactly at the end of the file, and the directory consists of entries, as far as its
  /// bytes are available.
  package private(set) var isExact = false
  /// Whether a library may take other bytes for the directory: the directory does not begin with an entry, or the
  /// zip64 records contradict the record. Such an archive must not be read, because its directory would be checked
  /// and another one unpacked.
  package private(set) var isAmbiguous = false
  /// The number of bytes before the archive, for instance of a self-extracting program. Offsets in the
  /// archive are relative to its own beginning.
  package let prefix: Int64
  /// Whether the file is the last of several into which the archive was split: the record has a number of its disk.
  package private(set) var isOfSeveralDisks = false

  /// The size in bytes of the searched area: the longest comment, the record, and other bytes that may
  /// follow.
  package static let searched: Int64 = 128 << 10

  /// The maximum size in bytes of an end record with its comment and the zip64 records before it.
  package static let maximumEndBytes: Int64 = 66 << 10

  /// The maximum number of entries that are read to choose among several records.
  private static let checkedEntries = 4_096

  /// Finds the last record whose comment ends exactly at the end of the file and whose directory consists of
  /// entries. A comment may contain the bytes of another record, which is therefore taken only if there is no such
  /// record, for instance because other bytes follow the archive.
  /// - Parameter searched: The number of bytes at the end of the file that are searched for the record.
  package init?(_ file: some ZipBytes, searching searched: Int64 = Self.searched) {
    let count = min(file.size, searched)
    let start = file.size - count
    guard count >= 22, let tail = file.bytes(at: start, count: Int(count)) else { return nil }
    let signatures = Self.positions(of: Self.signature, in: tail).filter { $0 <= tail.count - 22 }
    func endsFile(_ index: Int) -> Bool { index + 22 + tail.uint16(at: index + 20) == tail.count }
    func record(_ index: Int) -> Self? {
      var found = Self(
        file, at: start + Int64(index), size: tail.uint32(at: index + 12),
        offset: tail.uint32(at: index + 16))
      // 0xffff refers to the zip64 record.
      found?.isOfSeveralDisks = (1..<0xffff).contains(tail.uint16(at: index + 4))
      return found
    }
    var entries = Self.checkedEntries
    var other: Self?
    for index in signatures.reversed() where endsFile(index) {
      guard var found = record(index) else { continue }
      if found.isFilled(in: file, reading: &entries) {
        found.isExact = !found.isAmbiguous
        self = found
        return
      }
      other = other ?? found
    }
    guard
      let found = other
        ?? signatures.reversed().lazy.filter({ !endsFile($0) }).compactMap(record).first
    else { return nil }
    self = found
  }

  package static let signature: [UInt8] = [0x50, 0x4b, 5, 6]
  /// The signature of the record that names the position of the zip64 end record.
  package static let locatorSignature: [UInt8] = [0x50, 0x4b, 6, 7]

  /// Returns the positions of a signature, in ascending order. `memchr` skips other bytes quickly, which matters
  /// because every download of an unknown format is searched.
  package static func positions(of signature: [UInt8], in bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { bytes in
      var found: [Int] = []
      guard let base = bytes.baseAddress else { return found }
      var index = 0
      while let start = memchr(base + index, 0x50, bytes.count - index) {
        index = UnsafeRawPointer(start) - base
        if bytes[index...].starts(with: signature) { found.append(index) }
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
    recordEnd = end
  }

  /// Reads the record at a position.
  /// - Parameters:
  ///   - size: The size of the directory that the record states.
  ///   - offset: The position of the directory that the record states.
  private init?(_ file: some ZipBytes, at position: Int64, size: Int64, offset: Int64) {
    let locator = ZipLocator(file, before: position)
    if let wide = locator?.record,
      let found = Self(end: wide.position, size: wide.directorySize, offset: wide.directoryOffset)
    {
      self = found
      isAmbiguous =
        !(wide.isRegular && wide.position - prefix == wide.named
        && wide.agrees(size: size, offset: offset))
    } else {
      self.init(end: position, size: size, offset: offset)
      isAmbiguous = locator != nil
    }
    recordEnd = position + 22
    if directoryStart < directoryEnd, let first = file.bytes(at: directoryStart, count: 4),
      first != ZipDirectory.entrySignature
    {
      isAmbiguous = true
    }
  }

  /// Whether the directory consists of entries, as far as its bytes are available.
  /// - Parameter count: The number of entries that may be read; what follows them counts as right.
  private func isFilled(in file: some ZipBytes, reading count: inout Int) -> Bool {
    var position = directoryStart
    while position < directoryEnd {
      let size = Int(min(46, directoryEnd - position))
      guard count > 0, let header = file.bytes(at: position, count: size) else { return true }
      count -= 1
      // The digital signature that may follow the entries (APPNOTE.TXT 4.3.13).
      if header.starts(with: [0x50, 0x4b, 5, 5]) { return true }
      guard size == 46, header.starts(with: ZipDirectory.entrySignature) else { return false }
      position += Int64(
        46 + header.uint16(at: 28) + header.uint16(at: 30) + header.uint16(at: 32))
    }
    return position == directoryEnd
  }
}

/// The record before the end record that names the position of the zip64 end record, and that record (APPNOTE.TXT
/// 4.3.14 and 4.3.15).
private struct ZipLocator {
  struct Record {
    let position: Int64
    /// The position that the locator names, which counts from the beginning of the archive.
    let named: Int64
    let directorySize: Int64
    let directoryOffset: Int64
    /// Whether no reader can take another record for this one, and libraries that check the fields of both records
    /// accept them; otherwise they read the end record instead.
    let isRegular: Bool

    /// Whether the end record states the same, or refers to this record.
    func agrees(size: Int64, offset: Int64) -> Bool {
      [directorySize, 0xffff_ffff].contains(size)
        && [directoryOffset, 0xffff_ffff].contains(offset)
    }
  }

  /// nil if the locator names no record, and there is none before it.
  private(set) var record: Record?

  /// - Returns: nil if there is no locator directly before the position.
  init?(_ file: some ZipBytes, before position: Int64) {
    let start = position - 20
    guard let locator = file.bytes(at: start, count: 20),
      locator.starts(with: ZipEndRecord.locatorSignature)
    else { return nil }
    let named = locator.uint64(at: 8)
    // Some readers go to the named position, and others to the one directly before the locator. Other bytes before
    // the archive shift the record from the former, and its own further data from the latter.
    let last = start - Self.size
    var found = Set([min(named, last), last].filter { Self.record(file, at: $0) != nil })
    if found.isEmpty { found = Self.records(file, endingAt: start) }
    guard let first = found.min(), let bytes = Self.record(file, at: first) else { return }
    let disks = [locator.uint32(at: 4), bytes.uint32(at: 16), bytes.uint32(at: 20)]
    let isOfOneDisk =
      disks == [0, 0, 0] && locator.uint32(at: 16) == 1
      && bytes.uint64(at: 24) == bytes.uint64(at: 32)
    record = Record(
      position: first, named: named, directorySize: bytes.uint64(at: 40),
      directoryOffset: bytes.uint64(at: 48),
      isRegular: found.count == 1 && isOfOneDisk && Self.sizes.contains(bytes.uint64(at: 4)))
  }

  private static let signature: [UInt8] = [0x50, 0x4b, 6, 6]
  /// The size in bytes of a record without further data.
  private static let size: Int64 = 56
  /// The sizes that libraries accept, without the first 12 bytes of the record.
  private static let sizes: ClosedRange<Int64> = 44...16_372

  /// Returns the fixed part of the record at a position, or nil if there is none.
  private static func record(_ file: some ZipBytes, at position: Int64) -> [UInt8]? {
    guard let bytes = file.bytes(at: position, count: Int(size)), bytes.starts(with: signature)
    else { return nil }
    return bytes
  }

  /// Returns the positions of the records whose own size says that they end at a position.
  private static func records(_ file: some ZipBytes, endingAt end: Int64) -> Set<Int64> {
    let count = min(end, sizes.upperBound + 12)
    let start = end - count
    guard let bytes = file.bytes(at: start, count: Int(count)) else { return [] }
    let found = ZipEndRecord.positions(of: signature, in: bytes).filter {
      $0 + 12 <= bytes.count && bytes.uint64(at: $0 + 4) == Int64(bytes.count - $0 - 12)
    }
    return Set(found.map { start + Int64($0) })
  }
}
