import Archive
import ArchiveLibarchive
import ArchiveMinizip
import Models
import TestSupport
import Testing

@testable import RemoteArchive

/// Single entries of a remote zip archive: the requested bytes and the contents.
@Suite struct EntryRangeTests {
  private static let noise: [UInt8] = {
    var generator = SeededGenerator(seed: 3)
    return (0..<30_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }()

  static let forms: [ZipBuilder] = {
    let plain = ZipBuilder([
      .stored("a.png", noise), .deflated("ä.png", Array(repeating: 9, count: 5_000)),
      .stored("empty", []), .deflated("last", noise),
    ])
    var wide = plain
    var streamed = plain
    var prefixed = plain
    prefixed.prefix = Array(repeating: 3, count: 1_000)
    for index in plain.entries.indices {
      wide.entries[index].isZip64 = true
      streamed.entries[index].flags |= 8
    }
    return [plain, wide, streamed, prefixed]
  }()

  @Test("Each entry is unpacked from its own bytes", arguments: forms.indices)
  func contents(_ form: Int) throws {
    let zip = Self.forms[form]
    let file = zip.build()
    var server = PartServer(file)
    let directory = try server.read()
    for (entry, built) in zip.entries.enumerated().map({ (directory.entries[$0], $1) }) {
      let plan = try EntryRange(entry, in: directory, byteLimit: 1 << 30)
      #expect(Int64(plan.range.count) <= entry.compressedSize + 1_024)
      var bytes = Array(file[Int(plan.range.lowerBound)..<Int(plan.range.upperBound)])
      let end = try plan.dataEnd(bytes)
      #expect(plan.rest(dataEnd: end) == nil)
      bytes = bytes.prefix(Int(end)) + SingleEntryArchive.trailer(entry, dataEnd: end)
      let folder = try TemporaryFolder()
      let path = try folder.write("one.zip", bytes)
      for reader in [MinizipReader(), LibarchiveReader()] as [any ArchiveReader] {
        let collector = EntryCollector()
        try GuardedArchiveReader(reader, policy: ArchivePolicy()).walk(path, visitor: collector)
        #expect(collector.entries.map(\.data.count) == [Int(built.uncompressedSize)])
        #expect(CRC32.checksum(collector.entries.first?.data ?? []) == built.crc)
      }
    }
  }

  @Test("Long extra fields of the local header need a second request")
  func longExtra() throws {
    // The first name is followed by other bytes, which the local header declares as extra fields.
    var entry = ZipBuilder.Entry.stored("a.png", Array(repeating: 0, count: 5_000) + Self.noise)
    entry.declaredCompressedSize = Int64(Self.noise.count)
    entry.uncompressedSize = Int64(Self.noise.count)
    entry.crc = CRC32.checksum(Self.noise)
    var file = ZipBuilder([entry]).build()
    (file[28], file[29]) = (UInt8(5_000 & 0xff), UInt8(5_000 >> 8))
    var server = PartServer(file)
    let directory = try server.read()
    let plan = try EntryRange(directory.entries[0], in: directory, byteLimit: 1 << 30)
    #expect(plan.range == 0..<Int64(Self.noise.count) + 1_024)
    let end = try plan.dataEnd(Array(file.prefix(100)))
    let rest = try #require(plan.rest(dataEnd: end))
    #expect(rest == plan.range.upperBound..<Int64(35 + 5_000 + Self.noise.count))
  }

  @Test("A local header that contradicts the directory is refused")
  func contradictions() throws {
    var renamed = ZipBuilder.Entry.stored("a.png", [1, 2, 3])
    renamed.localName = Array("b.png".utf8)
    let file = ZipBuilder([.stored("a.png", [1, 2, 3])]).build()
    var otherMethod = file
    otherMethod[8] = 8
    var otherSignature = file
    otherSignature[3] = 5
    var longer = file
    longer[28] = 200
    var otherChecksum = file
    otherChecksum[14] ^= 1
    for bytes in [
      ZipBuilder([renamed]).build(), otherMethod, otherSignature, longer, otherChecksum,
    ] {
      var server = PartServer(bytes)
      let directory = try server.read()
      let plan = try EntryRange(directory.entries[0], in: directory, byteLimit: 100)
      #expect { try plan.dataEnd(Array(bytes.prefix(50))) } throws: {
        ($0 as? ArchiveError)?.code == .damaged
      }
    }
  }

  @Test("An entry beyond the limit of a resource, or beyond the next entry, is not requested")
  func limits() throws {
    var server = PartServer(ZipBuilder([.stored("a", Self.noise), .stored("b", [1])]).build())
    let directory = try server.read()
    #expect { try EntryRange(directory.entries[0], in: directory, byteLimit: 29_999) } throws: {
      ($0 as? ArchiveError)?.code == .limit
    }
    var long = ZipBuilder.Entry.stored("b", [1])
    long.declaredCompressedSize = 500
    server = PartServer(ZipBuilder([.stored("a", [1]), long]).build())
    let other = try server.read()
    #expect { try EntryRange(other.entries[1], in: other, byteLimit: 1_000) } throws: {
      ($0 as? ArchiveError)?.code == .damaged
    }
  }
}
