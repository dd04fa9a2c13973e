/// The central directory of a zip file: the declared position and size of each entry.
///
/// The directory is parsed independently of the adapters, so that a bomb is detected before an adapter
/// unpacks a byte. Malformed parts are ignored; the adapter reports them. Source: PKWARE APPNOTE.TXT 6.3,
/// sections 4.3.12 to 4.3.16 and 4.5.3.
package struct ZipDirectory {
  package struct Entry: Equatable {
    /// The offset of the local header from the beginning of the file.
    package let offset: Int64
    package let compressedSize: Int64
    package let uncompressedSize: Int64
    /// Whether a size or the offset of the entry is stored in its zip64 extra field.
    package let isWide: Bool
    package let isEncrypted: Bool
  }

  /// The entries in the order of the directory.
  package private(set) var entries: [Entry] = []

  package init(_ entries: [Entry]) { self.entries = entries }

  package static let entrySignature: [UInt8] = [0x50, 0x4b, 1, 2]

  /// - Parameter limit: The maximum number of entries. One more is kept, so that the caller notices the
  ///   excess.
  /// - Returns: nil if the file has no end record, which locates the directory.
  package init?(_ file: ArchiveFile, limit: Int = .max - 1) {
    guard let end = ZipEndRecord(file) else { return nil }
    self.init(file, end, limit: limit)
  }

  /// - Parameter limit: The maximum number of entries. One more is kept, so that the caller notices the
  ///   excess.
  init(_ file: ArchiveFile, _ end: ZipEndRecord, limit: Int) {
    var position = end.directoryStart
    while position < end.directoryEnd, entries.count <= limit,
      let header = file.bytes(at: position, count: 46), header.starts(with: Self.entrySignature)
    {
      let nameLength = header.uint16(at: 28)
      let extraLength = header.uint16(at: 30)
      let extra = file.bytes(at: position + 46 + Int64(nameLength), count: extraLength)
      entries.append(Self.entry(header, extra: extra ?? [], prefix: end.prefix))
      position += Int64(46 + nameLength + extraLength + header.uint16(at: 32))
    }
  }

  /// Reads the numbers of an entry.
  /// - Parameters:
  ///   - header: The fixed part of the entry in the directory, 46 bytes.
  ///   - extra: The extra fields of the entry.
  ///   - prefix: The number of bytes before the archive.
  package static func entry(_ header: [UInt8], extra: [UInt8], prefix: Int64) -> Entry {
    var uncompressed = header.uint32(at: 24)
    var compressed = header.uint32(at: 20)
    var offset = header.uint32(at: 42)
    var field = ZipExtraFields(extra)[1].first ?? []
    let isWide = [uncompressed, compressed, offset].contains(0xffff_ffff)
    func widen(_ value: inout Int64) {
      guard value == 0xffff_ffff, field.count >= 8 else { return }
      value = [UInt8](field.prefix(8)).uint64(at: 0)
      field = field.dropFirst(8)
    }
    widen(&uncompressed)
    widen(&compressed)
    widen(&offset)
    return Entry(
      offset: offset.addingSaturating(prefix), compressedSize: compressed,
      uncompressedSize: uncompressed, isWide: isWide,
      // General purpose bit 0: the entry is encrypted; bit 13: the directory itself is masked.
      isEncrypted: header.uint16(at: 8) & 0x2001 != 0)
  }
}

/// The extra fields of a directory entry, each of which has a number, a length and data.
struct ZipExtraFields {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The data of all fields with that number.
  subscript(number: Int) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var index = 0
    while index + 4 <= bytes.count {
      let end = index + 4 + bytes.uint16(at: index + 2)
      if bytes.uint16(at: index) == number {
        found.append(bytes[(index + 4)..<min(end, bytes.count)])
      }
      index = end
    }
    return found
  }
}

extension ZipDirectory {
  /// The sum of the declared uncompressed sizes in bytes, capped at `Int64.max`.
  package var uncompressedSize: Int64 {
    entries.reduce(0) { $0.addingSaturating($1.uncompressedSize) }
  }

  /// Whether two entries occupy the same bytes of the file, as in bombs that unpack to terabytes without
  /// nesting. Each entry counts with its minimum size: its header and data.
  package var hasOverlaps: Bool {
    var end: Int64 = 0
    for entry in entries.sorted(by: { $0.offset < $1.offset }) {
      if entry.offset < end { return true }
      end = max(end, entry.offset.addingSaturating(entry.compressedSize).addingSaturating(30))
    }
    return false
  }

  /// The indices of the entries sorted by offset, or nil if the directory is already in that order.
  package var orderByOffset: [Int]? {
    let isAscending = zip(entries, entries.dropFirst()).allSatisfy { $0.offset <= $1.offset }
    guard !isAscending else { return nil }
    return entries.indices.sorted { (entries[$0].offset, $0) < (entries[$1].offset, $1) }
  }
}

extension Int64 {
  func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
