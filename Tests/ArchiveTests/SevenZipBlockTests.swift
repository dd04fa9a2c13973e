import Archive
import ArchiveLibarchive
import CLibarchive
import Models
import TestSupport
import Testing

/// libarchive gets a file block by block, and cannot decode PPMd in a 7z archive across the end of each block.
@Suite struct SevenZipBlockTests {
  private static let entries: [(String, [UInt8])] = {
    var random = SeededGenerator(seed: 7)
    return (0..<3).map { index in
      ("\(index).bin", (0..<40_000 + index).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }()

  /// Writes the entries, compressed with PPMd, to a 7z archive whose entries depend on each other.
  private func archive(in folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/a.7z"
    try writeByLibarchive(path, Self.entries) { archive in
      let code = archive_write_set_format_7zip(archive)
      return code == ARCHIVE_OK
        ? archive_write_set_options(archive, "7zip:compression=ppmd") : code
    }
    return path
  }

  /// A symbol that is split by the end of a block occurs in each of the entries with blocks of a few bytes.
  private static let short = 64

  @Test(
    "an archive is read with larger blocks if PPMd needs them, and no entry or byte twice",
    arguments: [[short, 1 << 20], [short, 70_000, 1 << 20], [1 << 20]])
  func largerBlocks(sizes: [Int]) throws {
    let folder = try TemporaryFolder()
    let collector = EntryCollector()
    try GuardedArchiveReader(
      LibarchiveReader(formats: [.sevenZip], blockSizes: sizes), policy: ArchivePolicy()
    ).walk(try archive(in: folder), visitor: collector)
    #expect(collector.names == Self.entries.map(\.0))
    #expect(collector.entries.map(\.data) == Self.entries.map(\.1))
    #expect(collector.entries.allSatisfy { $0.isWhole })
  }

  @Test("entries that are not wanted are skipped with larger blocks, too")
  func skipping() throws {
    let folder = try TemporaryFolder()
    let collector = EntryCollector(decide: { $0.name == "2.bin" ? .read : .skip })
    try LibarchiveReader(formats: [.sevenZip], blockSizes: [Self.short, 1 << 20])
      .walk(try archive(in: folder), visitor: collector)
    #expect(collector.names == Self.entries.map(\.0))
    #expect(collector.entries.last?.data == Self.entries.last?.1)
  }

  @Test("an archive that needs larger blocks than there are is not called damaged")
  func largestBlock() throws {
    let folder = try TemporaryFolder()
    let path = try archive(in: folder)
    #expect(
      throws: ArchiveError(
        .unsupported,
        "the archive is compressed with PPMd, which cannot be read in a 7z archive of this size")
    ) {
      try LibarchiveReader(formats: [.sevenZip], blockSizes: [Self.short])
        .walk(path, visitor: EntryCollector())
    }
  }
}
