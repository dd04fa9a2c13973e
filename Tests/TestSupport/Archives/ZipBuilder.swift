/// Writes zip files, legal and illegal ones. What an entry says of itself can be set apart from what it is.
public struct ZipBuilder: Sendable {
  public struct Entry: Sendable {
    public var name: [UInt8]
    /// The name in the local header, if another.
    public var localName: [UInt8]?
    /// As it lies in the file.
    public var packed: [UInt8]
    public var method: Int
    public var crc: UInt32
    public var uncompressedSize: Int64
    /// If another than the count of `packed`.
    public var declaredCompressedSize: Int64?
    /// General purpose flags; bit 3 makes sizes and checksum follow the data.
    public var flags = 0
    /// The system that wrote it: 0 MS-DOS, 3 Unix.
    public var system = 3
    /// Unix mode with the type; 0 for none.
    public var mode = 0o100644
    public var isZip64 = false
    /// More extra fields of the directory.
    public var extra: [UInt8] = []
    /// Points the directory to another entry's header: an overlap.
    public var sharesHeaderOf: Int?

    public static func stored(_ name: String, _ data: [UInt8]) -> Entry {
      Entry(
        name: Array(name.utf8), packed: data, method: 0, crc: CRC32.checksum(data),
        uncompressedSize: Int64(data.count), flags: utf8Flag(name))
    }

    public static func deflated(_ name: String, _ data: [UInt8]) -> Entry {
      Entry(
        name: Array(name.utf8), packed: Deflate.compress(data), method: 8,
        crc: CRC32.checksum(data), uncompressedSize: Int64(data.count), flags: utf8Flag(name))
    }

    public static func folder(_ name: String) -> Entry {
      var entry = stored(name + "/", [])
      entry.mode = 0o040755
      return entry
    }

    private static func utf8Flag(_ name: String) -> Int {
      name.utf8.contains { $0 >= 0x80 } ? 0x800 : 0
    }
  }

  public var entries: [Entry]
  /// Junk before and after.
  public var prefix: [UInt8] = []
  public var suffix: [UInt8] = []
  public var comment: [UInt8] = []
  /// Whether offsets count from the beginning of the file, as those of a repaired self-extracting program
  /// do, and not from the beginning of the archive.
  public var countsPrefix = false
  /// The further data of the zip64 end record.
  public var wideData: [UInt8] = []
  /// The order in which the directory lists the entries, by position in the file.
  public var directoryOrder: [Int]?

  public init(_ entries: [Entry] = []) { self.entries = entries }

  public func build() -> [UInt8] {
    var bytes = ByteWriter()
    var offsets: [Int] = []
    let base = countsPrefix ? prefix.count : 0
    for entry in entries {
      offsets.append(base + bytes.count)
      writeLocal(entry, to: &bytes)
    }
    for (index, entry) in entries.enumerated() {
      if let other = entry.sharesHeaderOf { offsets[index] = offsets[other] }
    }
    let start = bytes.count
    for index in directoryOrder ?? Array(entries.indices) {
      writeCentral(entries[index], offset: offsets[index], to: &bytes)
    }
    writeEnd(start: base + start, size: bytes.count - start, base: base, to: &bytes)
    return prefix + bytes.bytes + suffix
  }

  private func writeLocal(_ entry: Entry, to bytes: inout ByteWriter) {
    let isStreamed = entry.flags & 8 != 0
    let name = entry.localName ?? entry.name
    let extra = entry.isZip64 ? wideField(entry, offset: nil) : []
    bytes.put32(0x0403_4b50)
    bytes.put16(entry.isZip64 ? 45 : 20, entry.flags, entry.method, 0, 0x21)
    bytes.put32(isStreamed ? 0 : Int64(entry.crc))
    bytes.put32(isStreamed ? 0 : narrow(compressedSize(entry), entry))
    bytes.put32(isStreamed ? 0 : narrow(entry.uncompressedSize, entry))
    bytes.put16(name.count, extra.count)
    bytes.put(name + extra + entry.packed)
    guard isStreamed else { return }
    bytes.put32(0x0807_4b50)
    bytes.put32(Int64(entry.crc))
    bytes.put32(compressedSize(entry))
    bytes.put32(entry.uncompressedSize)
  }

  private func writeCentral(_ entry: Entry, offset: Int, to bytes: inout ByteWriter) {
    let extra = (entry.isZip64 ? wideField(entry, offset: offset) : []) + entry.extra
    bytes.put32(0x0201_4b50)
    bytes.put16(entry.system << 8 | 45, entry.isZip64 ? 45 : 20, entry.flags, entry.method)
    bytes.put16(0, 0x21)
    bytes.put32(Int64(entry.crc))
    bytes.put32(narrow(compressedSize(entry), entry))
    bytes.put32(narrow(entry.uncompressedSize, entry))
    bytes.put16(entry.name.count, extra.count, 0, 0, 0)
    bytes.put32(Int64(entry.mode) << 16)
    bytes.put32(entry.isZip64 ? 0xffff_ffff : Int64(offset))
    bytes.put(entry.name + extra)
  }

  private func writeEnd(start: Int, size: Int, base: Int, to bytes: inout ByteWriter) {
    let isZip64 = entries.contains(where: \.isZip64)
    if isZip64 {
      let position = bytes.count
      bytes.put(
        Self.wideRecord(
          count: entries.count, size: Int64(size), start: Int64(start), data: wideData))
      bytes.put32(0x0706_4b50)
      bytes.put32(0)
      bytes.put64(Int64(base + position))
      bytes.put32(1)
    }
    let count = isZip64 ? 0xffff : entries.count
    bytes.put(
      Self.endRecord(
        count: count, size: isZip64 ? 0xffff_ffff : Int64(size),
        start: isZip64 ? 0xffff_ffff : Int64(start), commentLength: comment.count))
    bytes.put(comment)
  }

  /// A zip64 end record.
  public static func wideRecord(
    count: Int, size: Int64, start: Int64, data: [UInt8] = []
  ) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.put32(0x0606_4b50)
    bytes.put64(Int64(44 + data.count))
    bytes.put16(45, 45)
    bytes.put32(0)
    bytes.put32(0)
    for value in [Int64(count), Int64(count), size, start] { bytes.put64(value) }
    bytes.put(data)
    return bytes.bytes
  }

  /// An end record without its comment.
  public static func endRecord(
    count: Int, size: Int64, start: Int64, commentLength: Int = 0
  ) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.put32(0x0605_4b50)
    bytes.put16(0, 0, count, count)
    bytes.put32(size)
    bytes.put32(start)
    bytes.put16(commentLength)
    return bytes.bytes
  }

  /// Comments with end records that are not the one of this archive.
  public var misleadingComments: [[UInt8]] {
    var plain = self
    plain.comment = []
    let end = Array(plain.build().suffix(22))
    func number(at index: Int) -> Int {
      end[index..<index + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    return [
      // The comment of the record does not end the file.
      Self.endRecord(count: 0, size: 0, start: 0, commentLength: 9)
        + Array(repeating: 120, count: 100),
      // There is no entry where the directory would be.
      Self.endRecord(count: 1, size: 46, start: 0, commentLength: 3) + [97, 98, 99],
      // The directory would be beyond the file.
      Self.endRecord(count: 1, size: 46, start: 999_999_999),
      // The position of the directory is that of an archive without the comment.
      end,
      // The directory would include the record of this archive.
      Self.endRecord(
        count: entries.count, size: Int64(number(at: 12)) + 22, start: Int64(number(at: 16))),
    ]
  }

  private func compressedSize(_ entry: Entry) -> Int64 {
    entry.declaredCompressedSize ?? Int64(entry.packed.count)
  }

  private func narrow(_ size: Int64, _ entry: Entry) -> Int64 {
    entry.isZip64 ? 0xffff_ffff : size
  }

  private func wideField(_ entry: Entry, offset: Int?) -> [UInt8] {
    var field = ByteWriter()
    field.put16(1, offset == nil ? 16 : 24)
    field.put64(entry.uncompressedSize)
    field.put64(compressedSize(entry))
    if let offset { field.put64(Int64(offset)) }
    return field.bytes
  }
}

/// Little-endian numbers.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func put(_ more: [UInt8]) { bytes += more }

  mutating func put16(_ values: Int...) {
    for value in values {
      bytes.append(UInt8(truncatingIfNeeded: value))
      bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
  }

  mutating func put32(_ value: Int64) {
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  mutating func put64(_ value: Int64) {
    put32(value)
    put32(value >> 32)
  }
}
