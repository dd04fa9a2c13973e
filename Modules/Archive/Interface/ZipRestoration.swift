/// A directory for a zip that ends before its own one, made from the headers of the entries that are whole.
///
/// Readers see the file up to the end of the last whole entry, followed by this directory, as an ordinary zip: so what is
/// checked is what is unpacked, and no reader needs a second way to find entries. Source: PKWARE APPNOTE.TXT 6.3, sections
/// 4.3.7 to 4.3.9, 4.3.12 and 4.3.16.
struct ZipRestoration {
  /// The position behind the last whole entry.
  private(set) var end: Int64 = 0
  /// The directory and its end record.
  private(set) var bytes: [UInt8] = []

  private static let headerSignature: [UInt8] = [0x50, 0x4b, 3, 4]
  private static let descriptorSignature: [UInt8] = [0x50, 0x4b, 7, 8]
  /// The largest number of entries, and position, that need no zip64 records.
  private static let maximumEntries = 0xfffe
  private static let maximumPosition: Int64 = 0xffff_fffe
  /// The maximum size of the directory in bytes, because the lengths of names and extra fields are not trusted.
  private static let maximumBytes = 32 << 20
  private static let blockBytes: Int64 = 32 << 10
  /// The maximum number of signatures that are examined to find the end of an entry of unknown size.
  private static let maximumCandidates = 1 << 20

  /// - Returns: nil if the file does not begin with a whole entry.
  init?(_ file: ArchiveFile) {
    var count = 0
    while count < Self.maximumEntries, bytes.count < Self.maximumBytes,
      let entry = Self.entry(file, at: end)
    {
      bytes += entry.record
      end = entry.end
      count += 1
    }
    guard count > 0 else { return nil }
    let size = bytes.count
    bytes += ZipEndRecord.signature + [0, 0, 0, 0]
    for _ in 0..<2 { bytes += Self.little(Int64(count), 2) }
    bytes += Self.little(Int64(size), 4) + Self.little(end, 4) + [0, 0]
  }

  /// Reads the entry at a position.
  /// - Returns: Its record in a directory, and the position behind it; nil if there is no whole entry.
  private static func entry(
    _ file: ArchiveFile, at position: Int64
  ) -> (record: [UInt8], end: Int64)? {
    guard let header = file.bytes(at: position, count: 30), header.starts(with: headerSignature)
    else { return nil }
    let nameAndExtra = header.uint16(at: 26) + header.uint16(at: 28)
    let start = position + 30 + Int64(nameAndExtra)
    guard let labels = file.bytes(at: position + 30, count: nameAndExtra) else { return nil }
    // From the version needed up to the lengths of the name and the extra field, both headers agree.
    var fields = [UInt8](header[4...])
    var end = start + header.uint32(at: 18)
    // General purpose bit 3: the sizes are behind the data, if they were unknown when the header was written.
    if header.uint16(at: 6) & 8 != 0 {
      if header.uint32(at: 18) == 0 {
        guard let descriptor = descriptor(file, from: start) else { return nil }
        fields.replaceSubrange(10..<22, with: descriptor.sizes)
        end = descriptor.end
      } else if let next = file.bytes(at: end, count: 4), next == descriptorSignature {
        end += 16
      } else if file.bytes(at: end, count: 4) != headerSignature {
        end += 12
      }
    }
    guard end <= file.size, end <= maximumPosition else { return nil }
    // The comment, disk and attributes are empty.
    let record =
      ZipDirectory.entrySignature + [20, 0] + fields + [UInt8](repeating: 0, count: 10)
      + little(position, 4) + labels
    return (record, end)
  }

  /// Finds the checksum and sizes behind the data of an entry: the stated compressed size must be that of the data.
  /// - Parameter start: The position of the data.
  private static func descriptor(
    _ file: ArchiveFile, from start: Int64
  ) -> (sizes: [UInt8], end: Int64)? {
    var (position, candidates) = (start, 0)
    while file.size - position >= 4, position <= maximumPosition {
      let count = Int(min(blockBytes, file.size - position))
      guard let block = file.bytes(at: position, count: count) else { return nil }
      for index in ZipEndRecord.positions(of: [0x50, 0x4b], in: block) where index + 4 <= count {
        let signature = Array(block[index..<index + 4])
        let isDescriptor = signature == descriptorSignature
        guard
          isDescriptor || signature == headerSignature || signature == ZipDirectory.entrySignature
        else { continue }
        candidates += 1
        guard candidates <= maximumCandidates else { return nil }
        // The signature of the descriptor is optional.
        let place = position + Int64(index)
        let end = isDescriptor ? place : place - 12
        guard let sizes = file.bytes(at: isDescriptor ? place + 4 : end, count: 12),
          sizes.uint32(at: 4) == end - start
        else { continue }
        return (sizes, end + (isDescriptor ? 16 : 12))
      }
      // A signature may begin in this block and end in the next one.
      position += Int64(count - 3)
    }
    return nil
  }

  private static func little(_ number: Int64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) }
  }
}
