import Archive
import ArchiveLibarchive
import ArchiveMinizip
import Models
import RemoteArchive
import TestSupport
import Testing

/// Archives in which two readers may find different directories. What is checked must be what is unpacked.
@Suite struct EndRecordTests {
  private func names(_ bytes: [UInt8], _ reader: any ArchiveReader) throws -> [String] {
    let folder = try TemporaryFolder()
    let collector = EntryCollector()
    try GuardedArchiveReader(reader, policy: ArchivePolicy()).walk(
      try folder.write("a.zip", bytes), visitor: collector)
    return collector.names
  }

  private static let routing = FormatRoutingReader([MinizipReader(), LibarchiveReader()])

  @Test(
    "an archive whose zip64 records contradict its end record is refused",
    arguments: ArchiveBackend.adapters)
  func contradiction(backend: ArchiveBackend) throws {
    var wide = ZipBuilder.Entry.stored("wide", [1])
    wide.isZip64 = true
    let zip = ZipBuilder([.stored("a", [1]), wide]).build()
    let refusal = ArchiveError(.damaged, "the directory of the archive is damaged")
    let end = zip.count - 22
    // The end record states another directory than the zip64 record.
    let other: [UInt8] = zip.dropLast(22) + ZipBuilder.endRecord(count: 1, size: 46, start: 0)
    // The locator says that there are two disks, so that some libraries ignore it.
    var twoDisks = zip
    twoDisks[end - 4] = 2
    for bytes in [other, twoDisks] {
      #expect(throws: refusal) { try names(bytes, backend.reader) }
      var server = PartServer(bytes)
      #expect(throws: refusal) { try server.read() }
    }
    // The locator leads to a record without a signature.
    var unsigned = zip
    unsigned[end - 76] = 0
    #expect(throws: ArchiveError.self) { try names(unsigned, backend.reader) }
    // The locator counts the bytes before the archive, and the directory does not.
    var shifted: [UInt8] = Array(repeating: 0, count: 100) + zip
    let position = shifted.count - 22 - 76
    shifted[shifted.count - 34] = UInt8(position & 255)
    shifted[shifted.count - 33] = UInt8(position >> 8)
    #expect(throws: ArchiveError.self) { try names(shifted, backend.reader) }
  }

  @Test(
    "an archive in which readers may find different zip64 records is refused",
    arguments: ArchiveBackend.adapters)
  func twoWideRecords(backend: ArchiveBackend) throws {
    var wide = ZipBuilder.Entry.stored("wide", [1])
    wide.isZip64 = true
    var zip = ZipBuilder([.stored("a", [1]), wide])
    // The position that the locator names, counted from the beginning of the file, is within the other data.
    let named = zip.build().count - 22 - 76
    let other = ZipBuilder.wideRecord(count: 1, size: 46, start: 0)
    zip.prefix = Array(repeating: 0, count: named) + other + Array(repeating: 0, count: 500)
    let inPrefix = zip.build()
    // The further data of the record looks like a record directly before the locator.
    zip.prefix = []
    zip.wideData = other
    let inData = zip.build()
    // Two records behind other data end where the locator begins.
    zip.prefix = [0]
    zip.wideData = ZipBuilder.wideRecord(
      count: 1, size: 46, start: 0, data: Array(repeating: 0, count: 8))
    let nested = zip.build()
    for bytes in [inPrefix, inData, nested] {
      #expect(throws: ArchiveError.self) { try names(bytes, backend.reader) }
      var server = PartServer(bytes)
      #expect(throws: ArchiveError.self) { try server.read() }
    }
  }

  @Test(
    "the directory of a remote zip64 archive behind other data is found", arguments: [0, 1_000])
  func remotePrefix(dataCount: Int) throws {
    var wide = ZipBuilder.Entry.stored("wide", Array(repeating: 1, count: 100_000))
    wide.isZip64 = true
    var zip = ZipBuilder([.stored("a", [1]), wide])
    zip.prefix = Array(repeating: 7, count: 50_000)
    zip.wideData = Array(repeating: 7, count: dataCount)
    let bytes = zip.build()
    var server = PartServer(bytes)
    let entries = try server.read().entries
    #expect(entries.map(\.name) == ["a", "wide"])
    for entry in entries {
      #expect(bytes[Int(entry.offset)...].starts(with: [0x50, 0x4b, 3, 4]))
    }
  }

  @Test("zip64 records in the data of an entry are not those of the archive")
  func nestedLocator() throws {
    var wide = ZipBuilder.Entry.stored("wide", [1])
    wide.isZip64 = true
    var inner = ZipBuilder([.stored("inner", [1]), wide])
    // The header of the outer entry, so that the positions are those in the outer archive.
    inner.prefix = Array(repeating: 0, count: 35)
    inner.countsPrefix = true
    let outer = ZipBuilder([.stored("outer", Array(inner.build().dropFirst(35)))]).build()
    #expect(try names(outer, Self.routing) == ["outer"])
    #expect(throws: ArchiveError(.unsupported, "minizip cannot read a zip64 archive")) {
      try names(outer, MinizipReader())
    }
  }

  @Test(
    "many end records in a comment do not take long, and a directory that is not one is not read")
  func manyRecords() throws {
    var zip = ZipBuilder((0..<2_000).map { .stored("\($0)", []) })
    let plain = zip.build()
    let size = Int64(plain.count - 22)
    for _ in 0..<2_000 {
      // All of them end with the file, and name the directory and what follows it.
      let rest = zip.comment.count
      zip.comment =
        ZipBuilder.endRecord(count: 2_000, size: size, start: 0, commentLength: rest) + zip.comment
    }
    let found = try? names(zip.build(), Self.routing)
    #expect(found == nil || found?.count == 2_000)
    var server = PartServer(zip.build())
    _ = try? server.read()
    #expect(server.requests.count <= 10)
  }
}
