package import Archive

/// The entries of a remote zip archive.
package struct RemoteDirectory: Sendable {
  package let version: RemoteVersion
  /// The entries in the order of the directory.
  package let entries: [RemoteEntry]
  /// The positions of all local headers and of the directory, in ascending order: the ends of the entries.
  private let boundaries: [Int64]
  /// The known end of the file, from which the last entries need not be requested again; nil if it is large.
  private let tail: ArchiveTail?

  /// Reads the directory.
  /// - Parameters:
  ///   - tail: The end of the file, at least from the beginning of the directory on.
  ///   - end: The end record, which locates the directory.
  /// - Throws: `ArchiveError`: `damaged` for a directory that ends early, `overlap` as for a downloaded
  ///   archive. The number and the sizes of the entries are not limited, because reading the directory unpacks
  ///   none of them; `check(_:within:)` limits those that are to be unpacked.
  /// - Complexity: O(n log n) in the number of entries; memory is proportional to the directory.
  init(
    _ tail: ArchiveTail, _ end: ZipEndRecord, _ version: RemoteVersion
  ) throws(ArchiveError) {
    self.version = version
    var entries: [RemoteEntry] = []
    var numbers: [ZipDirectory.Entry] = []
    var position = end.directoryStart
    while position < end.directoryEnd {
      guard let header = tail.bytes(at: position, count: 46) ?? tail.bytes(at: position, count: 4)
      else { throw Self.damaged }
      if header.starts(with: Self.signatureRecord) { break }
      guard header.count == 46, header.starts(with: ZipDirectory.entrySignature) else {
        throw Self.damaged
      }
      let nameLength = header.uint16(at: 28)
      let extraLength = header.uint16(at: 30)
      guard let name = tail.bytes(at: position + 46, count: nameLength),
        let extra = tail.bytes(at: position + 46 + Int64(nameLength), count: extraLength)
      else { throw Self.damaged }
      let entry = ZipDirectory.entry(header, extra: extra, prefix: end.prefix)
      numbers.append(entry)
      entries.append(
        RemoteEntry(
          index: entries.count, header: header, rawName: name, extra: extra, numbers: entry))
      position += Int64(46 + nameLength + extraLength + header.uint16(at: 32))
    }
    self.entries = entries
    self.tail = tail.bytes.count <= Self.maximumKeptBytes ? tail : nil
    let start = end.directoryStart
    boundaries = numbers.map(\.offset).filter { $0 < start }.sorted() + [start]
    guard !ZipDirectory(numbers).hasOverlaps else { throw ArchiveError(.overlap, "") }
  }

  /// The directory of an archive without entries.
  init(emptyOf version: RemoteVersion) {
    self.version = version
    (entries, boundaries, tail) = ([], [], nil)
  }

  private static let maximumKeptBytes = 128 << 10

  /// Checks the entries that are to be unpacked against the limits of archives, before they are requested.
  /// - Throws: `ArchiveError` with the code `limit`.
  package func check(
    _ chosen: some Collection<RemoteEntry>, within policy: ArchivePolicy
  ) throws(ArchiveError) {
    try policy.checkSelection(
      chosen.lazy.map(\.uncompressedSize), fileSize: version.byteCount)
  }

  /// Returns a part of the file that was received with the directory; nil if it was not.
  package func knownBytes(_ range: Range<Int64>) -> [UInt8]? {
    tail?.bytes(at: range.lowerBound, count: range.count)
  }

  /// Returns the position at which the next entry or the directory begins.
  func end(of entry: RemoteEntry) -> Int64 {
    var (low, high) = (0, boundaries.count)
    while low < high {
      let middle = (low + high) / 2
      if boundaries[middle] <= entry.offset { low = middle + 1 } else { high = middle }
    }
    return low < boundaries.count ? boundaries[low] : boundaries.last ?? 0
  }

  /// The digital signature that may follow the entries (APPNOTE.TXT 4.3.13).
  private static let signatureRecord: [UInt8] = [0x50, 0x4b, 5, 5]

  static var damaged: ArchiveError {
    ArchiveError(.damaged, "the directory of the archive is damaged")
  }
}
