import Archive
import ArchiveLibarchive
import ArchiveMinizip
import TestSupport
import Testing

/// A volume is sound, but only a part of its archive; imgdl does not join the parts.
@Suite("Volumes of an archive") struct VolumeTests {
  private static let data = [UInt8](repeating: 7, count: 3_000)
  private static let routing = FormatRoutingReader([MinizipReader(), LibarchiveReader()])

  private func walk(_ bytes: [UInt8]) throws -> [ArchiveError?] {
    let collector = EntryCollector(goesOn: true)
    let folder = try TemporaryFolder()
    let path = try folder.write("a.cbr", bytes)
    try GuardedArchiveReader(Self.routing, policy: ArchivePolicy()).walk(path, visitor: collector)
    return collector.entries.map(\.fault)
  }

  private static let split = ArchiveError(
    .unsupported, "the entry is split over several volumes, which imgdl does not join",
    entryName: "b")

  @Test("The entry that goes on in the next volume is not damaged", arguments: [4, 5])
  func first(_ version: Int) throws {
    let whole = RARVolumes.bytes(version, Part(.whole))
    #expect(try walk(whole) == [nil, nil])
    let bytes = RARVolumes.bytes(version, Part(.first))
    #expect(try walk(bytes) == [nil, Self.split])
  }

  @Test("A volume that begins with the rest of an entry is not damaged, nor without entries")
  func second() throws {
    #expect(try walk(RARVolumes.bytes(4, Part(.second))).first == Self.split)
    let error = #expect(throws: ArchiveError.self) {
      try walk(RARVolumes.bytes(5, Part(.second)))
    }
    #expect(
      error
        == ArchiveError(
          .unsupported, "the archive is a part of one in several volumes, which imgdl does not join"
        ))
  }

  @Test("A volume that is cut is truncated or damaged", arguments: [4, 5])
  func cut(_ version: Int) throws {
    for missing in [1, 100] {
      let bytes = Array(RARVolumes.bytes(version, Part(.first)).dropLast(missing))
      var fault: ArchiveError?
      do {
        fault = try walk(bytes).last ?? nil
      } catch let error as ArchiveError {
        fault = error
      }
      #expect(
        fault?.code == .truncated || fault?.code == .damaged, "\(missing): \(fault?.detail ?? "")")
    }
  }

  @Test("The first and the last file of a zip that was split are called so")
  func zip() throws {
    var last = ZipBuilder([.stored("b", Self.data)]).build()
    // The number of this disk and that of the directory, which is said to begin elsewhere.
    (last[last.count - 18], last[last.count - 16]) = (1, 1)
    last[last.count - 6] ^= 1
    let first = [0x50, 0x4b, 7, 8] + last.prefix(2_000)
    for bytes in [first, last] {
      let error = #expect(throws: ArchiveError.self) { try walk(bytes) }
      #expect(
        error
          == ArchiveError(
            .unsupported, "the zip archive is split into several files, which imgdl does not join"))
    }
  }

  /// A part of an archive of two entries, of which the second one is split.
  struct Part {
    enum Kind { case whole, first, second }
    let kind: Kind
    /// The names and the stored bytes.
    let entries: [(String, [UInt8])]

    init(_ kind: Kind) {
      self.kind = kind
      let middle = data.count / 2
      entries =
        switch kind {
        case .whole: [("a", [1, 2, 3]), ("b", data)]
        case .first: [("a", [1, 2, 3]), ("b", Array(data.prefix(middle)))]
        case .second: [("b", Array(data.dropFirst(middle)))]
        }
    }

    /// The size of the whole entry.
    func size(_ name: String) -> Int { name == "a" ? 3 : data.count }
    func goesOn(_ name: String) -> Bool { name == "b" && kind == .first }
    func hasBegun(_ name: String) -> Bool { name == "b" && kind == .second }
    var isVolume: Bool { kind != .whole }
  }
}

/// RAR with stored entries. Sources: technote.txt, which comes with unrar, and the description of RAR 5.0 by its author.
private enum RARVolumes {
  static func bytes(_ version: Int, _ part: VolumeTests.Part) -> [UInt8] {
    version == 4 ? version4(part) : version5(part)
  }

  private static func version4(_ part: VolumeTests.Part) -> [UInt8] {
    var bytes: [UInt8] = Array("Rar!\u{1a}\u{7}\0".utf8)
    bytes += block4(0x73, part.isVolume ? 1 : 0, [UInt8](repeating: 0, count: 6))
    for (name, data) in part.entries {
      var fields = little(data.count, 4) + little(part.size(name), 4) + [3]
      fields += little(Int(CRC32.checksum(data)), 4) + little(0x5821_0000, 4) + [20, 0x30]
      fields += little(name.utf8.count, 2) + little(0o100644, 4) + Array(name.utf8)
      let flags = (part.hasBegun(name) ? 1 : 0) | (part.goesOn(name) ? 2 : 0)
      bytes += block4(0x74, 0x8000 | flags, fields) + data
    }
    return bytes + block4(0x7b, part.kind == .first ? 0x4001 : 0x4000, [])
  }

  private static func block4(_ type: UInt8, _ flags: Int, _ fields: [UInt8]) -> [UInt8] {
    let header = [type] + little(flags, 2) + little(7 + fields.count, 2) + fields
    return little(Int(CRC32.checksum(header) & 0xffff), 2) + header
  }

  private static func version5(_ part: VolumeTests.Part) -> [UInt8] {
    var bytes: [UInt8] = Array("Rar!\u{1a}\u{7}\u{1}\0".utf8)
    // The second volume states its number.
    bytes += block5([1, 0] + (part.kind == .second ? [3, 1] : [part.isVolume ? 1 : 0]))
    for (name, data) in part.entries {
      let flags: UInt8 = 2 | (part.hasBegun(name) ? 8 : 0) | (part.goesOn(name) ? 16 : 0)
      // A checksum, the mode of a regular file, stored, by Unix.
      var header = [2, flags] + variable(data.count) + [4] + variable(part.size(name))
      header += variable(0o100644) + little(Int(CRC32.checksum(data)), 4) + [0, 1]
      bytes += block5(header + variable(name.utf8.count) + Array(name.utf8)) + data
    }
    return bytes + block5([5, 0, part.kind == .first ? 1 : 0])
  }

  private static func block5(_ header: [UInt8]) -> [UInt8] {
    let sized = variable(header.count) + header
    return little(Int(CRC32.checksum(sized)), 4) + sized
  }

  private static func variable(_ value: Int) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f | 0x80)] + variable(value >> 7)
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
