import Archive
import ArchiveLibarchive
import ArchiveMinizip
import ArchiveSandbox
import CLibarchive
import Models
import TestSupport
import Testing
import Wiring

@Suite("Other formats")
struct FormatRoutingTests {
  private let entries: [(String, [UInt8])] = [
    ("b.txt", Array("second".utf8)), ("a/1.bin", Array(repeating: 3, count: 200_000)),
  ]

  private func archive(_ path: String, _ prepare: (OpaquePointer) -> CInt) throws {
    try writeByLibarchive(path, entries, prepare)
  }

  private func expectEntries(_ reader: any ArchiveReader, _ path: String) throws {
    let collector = EntryCollector()
    try GuardedArchiveReader(reader, policy: ArchivePolicy()).walk(path, visitor: collector)
    #expect(collector.names == entries.map(\.0))
    #expect(collector.entries.map(\.data) == entries.map(\.1))
    #expect(collector.entries.allSatisfy { $0.isWhole })
  }

  private let routing = FormatRoutingReader([MinizipReader(), LibarchiveReader()])

  @Test("tar and 7z are opened by libarchive, independent of the adapter for zip")
  func tarAndSevenZip() throws {
    let folder = try TemporaryFolder()
    try archive(folder.path + "/a.tar") { archive_write_set_format_pax_restricted($0) }
    try expectEntries(routing, folder.path + "/a.tar")
    try archive(folder.path + "/a.7z") { archive_write_set_format_7zip($0) }
    try expectEntries(routing, folder.path + "/a.7z")
  }

  @Test("Links in a tar name their targets within the archive")
  func links() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.tar"
    let handle = try #require(archive_write_new())
    defer { archive_write_free(handle) }
    archive_write_set_format_ustar(handle)
    archive_write_open_filename(handle, path)
    func add(_ name: String, _ link: (OpaquePointer) -> Void) {
      guard let entry = archive_entry_new() else { return }
      defer { archive_entry_free(entry) }
      archive_entry_set_pathname(entry, name)
      archive_entry_set_size(entry, 0)
      archive_entry_set_perm(entry, 0o644)
      link(entry)
      archive_write_header(handle, entry)
    }
    func symbolic(_ target: String) -> (OpaquePointer) -> Void {
      { entry in
        archive_entry_set_filetype(entry, 0o120000)
        archive_entry_set_symlink(entry, target)
      }
    }
    add("./d/1.png") { archive_entry_set_filetype($0, 0o100000) }
    add("./d/2.png") { archive_entry_set_hardlink($0, "./d/1.png") }
    add("./d/3.png", symbolic("1.png"))
    add("./d/4.png", symbolic("../e/./x.png"))
    add("./d/5.png", symbolic("/etc/passwd"))
    add("./d/6.png", symbolic("../../x.png"))
    archive_write_close(handle)
    let collector = EntryCollector()
    try LibarchiveReader().walk(path, visitor: collector)
    #expect(
      collector.entries.map(\.entry.linkTarget)
        == [nil, "d/1.png", "d/1.png", "e/x.png", nil, nil])
    #expect(collector.entries.dropFirst().allSatisfy { $0.entry.kind == .other })
    #expect(collector.entries.first?.entry.kind == .file)
  }

  @Test("RAR is opened by libarchive")
  func rar() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.rar", RarBuilder.stored(entries))
    try expectEntries(routing, path)
  }

  @Test("A tar in gzip is opened only if the caller requests it")
  func compressedTar() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.tgz"
    try archive(path) { handle in
      archive_write_add_filter_gzip(handle)
      return archive_write_set_format_ustar(handle)
    }
    try expectEntries(LibarchiveReader(formats: [.gzip]), path)
    #expect(throws: ArchiveError.self) {
      try LibarchiveReader().walk(path, visitor: EntryCollector())
    }
  }

  @Test("A format that the caller does not request is not opened")
  func onlyWhatIsWanted() throws {
    let folder = try TemporaryFolder()
    try archive(folder.path + "/a.tar") { archive_write_set_format_ustar($0) }
    #expect(throws: ArchiveError(.format, "the archive is of no known format")) {
      try LibarchiveReader(formats: [.zip])
        .walk(folder.path + "/a.tar", visitor: EntryCollector())
    }
  }

  @Test("A zip64 archive that the first reader refuses is opened by the next reader")
  func fallback() throws {
    let folder = try TemporaryFolder()
    let zip = ZipBuilder(
      entries.map { name, data in
        var entry = ZipBuilder.Entry.deflated(name, data)
        entry.isZip64 = true
        return entry
      })
    try expectEntries(routing, try folder.write("a.zip", zip.build()))
  }

  @Test("An archive that a reader has begun to read is not passed to the next reader")
  func noSecondWalk() throws {
    let folder = try TemporaryFolder()
    var odd = ZipBuilder.Entry.stored("odd", [1])
    odd.method = 96
    let path = try folder.write("a.zip", ZipBuilder([.stored("a", [1]), odd]).build())
    let collector = EntryCollector()
    #expect(throws: ArchiveError.self) { try routing.walk(path, visitor: collector) }
    #expect(collector.names == ["a", "odd"])
  }

  @Test("A file that is not an archive is refused, and the error names the cause")
  func noArchive() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.txt", Array("hello".utf8))
    #expect(throws: ArchiveError(.format, "the archive is of no known format")) {
      try routing.walk(path, visitor: EntryCollector())
    }
  }

  @Test("Both adapters are registered in the catalogue", arguments: ["minizip", "libarchive"])
  func plugins(_ name: String) throws {
    var catalogue = Catalogue()
    catalogue.provide(Settings(), for: .settings)
    ArchivePlugin.register(in: &catalogue)
    var container = try Container(catalogue, choosing: ["archive": name])
    let reader = try container.resolve(.archive)
    // Formats that minizip does not read are routed to libarchive.
    #expect(reader.formats == [.zip, .sevenZip, .rar, .tar])
  }
}

/// RAR 4 with stored entries: a marker, the archive header, file headers, an end.
/// Source: the description of the format that comes with unrar (technote.txt).
private enum RarBuilder {
  static func stored(_ entries: [(String, [UInt8])]) -> [UInt8] {
    var bytes: [UInt8] = [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07, 0x00]
    bytes += block(type: 0x73, flags: 0, fields: [0, 0, 0, 0, 0, 0])
    for (name, data) in entries {
      let size = little(data.count, 4)
      var fields = size + size + [3] + little(Int(CRC32.checksum(data)), 4)
      fields += little(0x5821_0000, 4) + [20, 0x30] + little(name.utf8.count, 2)
      fields += little(0o100644, 4) + Array(name.utf8)
      bytes += block(type: 0x74, flags: 0x8000, fields: fields) + data
    }
    return bytes + block(type: 0x7b, flags: 0x4000, fields: [])
  }

  private static func block(type: UInt8, flags: Int, fields: [UInt8]) -> [UInt8] {
    let header = [type] + little(flags, 2) + little(7 + fields.count, 2) + fields
    return little(Int(CRC32.checksum(header) & 0xffff), 2) + header
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
