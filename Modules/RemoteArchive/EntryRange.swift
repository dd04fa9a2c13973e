package import Archive

/// The plan to fetch one entry of a remote zip archive: its local header and its data, in one request if the
/// extra fields of the local header are not unusually long.
///
/// The directory does not state the length of the local header, whose extra fields differ from its own. The
/// request therefore includes the bytes up to the next entry, but at most 1 KiB more than the data.
package struct EntryRange: Sendable {
  /// The maximum number of requested bytes besides the data, unless the name is longer.
  package static let allowance: Int64 = 1 << 10
  /// The maximum size of an entry, beyond which its sizes do not fit in an archive without zip64.
  private static let maximumBytes: Int64 = 0xffff_fffe

  package let entry: RemoteEntry
  /// The first request.
  package let range: Range<Int64>
  /// The position at which the next entry or the directory begins.
  private let end: Int64

  /// - Parameter byteLimit: The setting `limits.resourceBytes`.
  /// - Throws: `ArchiveError` for an entry that cannot be fetched.
  package init(
    _ entry: RemoteEntry, in directory: RemoteDirectory, byteLimit: Int64
  ) throws(ArchiveError) {
    guard max(entry.compressedSize, entry.uncompressedSize) <= Self.maximumBytes else {
      throw ArchiveError(
        .unsupported, "the entry is larger than 4 GiB; download the archive whole",
        entryName: entry.name)
    }
    guard max(entry.compressedSize, entry.uncompressedSize) <= byteLimit else {
      throw ArchiveError(
        .limit, "the entry is larger than \(byteLimit) bytes (limits.resourceBytes)",
        entryName: entry.name)
    }
    self.entry = entry
    end = directory.end(of: entry)
    let header = Int64(30 + entry.rawName.count)
    let required = header + entry.compressedSize
    // The subtraction cannot overflow: both positions are in 0...Int64.max.
    guard entry.offset < end, end - entry.offset >= required else {
      throw Self.contradiction(entry)
    }
    var gap = end - entry.offset - required
    // At least 12 bytes of the gap follow the data.
    if entry.hasDataDescriptor { gap = max(0, gap - 12) }
    let extra = min(gap, max(64, Self.allowance - header))
    range = entry.offset..<entry.offset + required + extra
  }

  /// Checks the local header, and returns the end of the entry's data relative to its beginning.
  /// - Parameter header: The first 30 bytes of the entry and its name.
  package func dataEnd(_ header: [UInt8]) throws(ArchiveError) -> Int64 {
    let name = entry.rawName
    guard header.count >= 30 + name.count, header.starts(with: [0x50, 0x4b, 3, 4]),
      header.uint16(at: 26) == name.count, header[30..<30 + name.count] == name[...],
      header.uint16(at: 8) == entry.method,
      header.uint16(at: 6) & 1 == entry.fixedFields.uint16(at: 0) & 1
    else { throw Self.contradiction(entry) }
    // A header whose checksum follows the data has none. Any other one may be of another version of the archive,
    // which a server without validators has sent, and a reader may compare the data with this checksum only.
    let checksum = header.uint32(at: 14)
    guard checksum == 0 || checksum == entry.checksum else { throw Self.contradiction(entry) }
    let extra = header.uint16(at: 28)
    let dataEnd = Int64(30 + name.count + extra) + entry.compressedSize
    guard dataEnd <= end - entry.offset else { throw Self.contradiction(entry) }
    return dataEnd
  }

  /// The number of bytes that `dataEnd(_:)` examines.
  package var headerBytes: Int { 30 + entry.rawName.count }

  /// Returns the part that is still missing after the first request; nil if there is none.
  package func rest(dataEnd: Int64) -> Range<Int64>? {
    let end = entry.offset + dataEnd
    return end > range.upperBound ? range.upperBound..<end : nil
  }

  private static func contradiction(_ entry: RemoteEntry) -> ArchiveError {
    ArchiveError(
      .damaged, "the header of the entry contradicts the directory", entryName: entry.name)
  }
}
