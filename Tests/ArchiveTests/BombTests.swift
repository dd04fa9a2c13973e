import Archive
import Models
import TestSupport
import Testing

/// Zip bombs, through the policy above each adapter.
@Suite("Zip bombs")
struct BombTests {
  private func failure(
    _ backend: ArchiveBackend, _ path: String, _ collector: EntryCollector,
    _ change: (inout Settings.Limits) -> Void = { _ in }
  ) -> ArchiveError? {
    var limits = Settings().limits
    change(&limits)
    let reader = GuardedArchiveReader(backend.reader, policy: ArchivePolicy(limits))
    do throws(ArchiveError) {
      try reader.walk(path, visitor: collector)
      return nil
    } catch {
      return error
    }
  }

  @Test("Entries that share their data are refused", arguments: ArchiveBackend.adapters)
  func overlap(_ backend: ArchiveBackend) throws {
    let folder = try TemporaryFolder()
    var second = ZipBuilder.Entry.stored("b", [])
    second.packed = []
    second.crc = CRC32.checksum([7])
    second.uncompressedSize = 1
    second.declaredCompressedSize = 1
    second.sharesHeaderOf = 0
    let path = try folder.write("a.zip", ZipBuilder([.stored("a", [7]), second]).build())
    let collector = EntryCollector()
    #expect(failure(backend, path, collector)?.code == .overlap)
    #expect(collector.entries.isEmpty)
  }

  @Test("A directory that declares too much is refused", arguments: ArchiveBackend.adapters)
  func declaredTotal(_ backend: ArchiveBackend) throws {
    let folder = try TemporaryFolder()
    let entries = (0..<3).map { index in
      var entry = ZipBuilder.Entry.stored("\(index)", [1])
      entry.uncompressedSize = 0x7fff_ffff
      return entry
    }
    let path = try folder.write("a.zip", ZipBuilder(entries).build())
    let collector = EntryCollector()
    let error = failure(backend, path, collector)
    #expect(error?.code == .limit)
    #expect(collector.entries.isEmpty)
  }

  @Test("Too many entries are refused from the directory", arguments: ArchiveBackend.adapters)
  func entryCount(_ backend: ArchiveBackend) throws {
    let folder = try TemporaryFolder()
    let zip = ZipBuilder((0..<101).map { .stored("\($0)", []) })
    let path = try folder.write("a.zip", zip.build())
    let collector = EntryCollector()
    let error = failure(backend, path, collector) { $0.archiveEntries = 100 }
    #expect(error?.code == .limit)
    #expect(collector.entries.isEmpty)
    #expect(failure(backend, path, collector) { $0.archiveEntries = 101 } == nil)
  }

  @Test(
    "A bomb that declares a false size is stopped at that size", arguments: ArchiveBackend.adapters)
  func lyingSize(_ backend: ArchiveBackend) throws {
    let folder = try TemporaryFolder()
    var entry = ZipBuilder.Entry.stored("bomb", [])
    entry.packed = Deflate.compress(repeating: 0, count: 64 << 20)
    entry.method = 8
    entry.uncompressedSize = 10_000
    let path = try folder.write("a.zip", ZipBuilder([entry]).build())
    let collector = EntryCollector(keepsData: false)
    #expect(failure(backend, path, collector)?.code == .damaged)
    #expect(collector.byteCount <= 10_000)
  }

  @Test("A bomb that declares its size is refused by its ratio", arguments: ArchiveBackend.adapters)
  func ratio(_ backend: ArchiveBackend) throws {
    let folder = try TemporaryFolder()
    var entry = ZipBuilder.Entry.stored("bomb", [])
    entry.packed = Deflate.compress(repeating: 0, count: 64 << 20)
    entry.method = 8
    entry.uncompressedSize = 64 << 20
    let path = try folder.write("a.zip", ZipBuilder([entry]).build())
    let collector = EntryCollector(keepsData: false)
    let error = failure(backend, path, collector) { $0.archiveRatio = 100 }
    #expect(error?.code == .limit)
    #expect(error?.description.contains("limits.archiveRatio") == true)
    #expect(collector.byteCount == 0)
  }

  @Test(
    "The 546 GB of a 2 MB file are refused with no byte unpacked",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absent)),
    arguments: ArchiveBackend.adapters)
  func overlappingBomb(_ backend: ArchiveBackend) throws {
    let collector = EntryCollector()
    let error = failure(backend, Corpus.path + "/zip/bombs/zbsm.zip", collector)
    #expect(error?.code == .overlap)
    #expect(collector.entries.isEmpty)
    #expect(collector.byteCount == 0)
  }
}
