import Archive
import Models
import TestSupport
import Testing

@Suite("Archive policy")
struct GuardedArchiveReaderTests {
  /// Walks an archive of the fake, whose file exists for its size alone.
  private func walk(
    _ entries: [MemoryArchiveReader.Entry], fileSize: Int = 1 << 20,
    _ change: (inout Settings.Limits) -> Void = { _ in },
    into collector: EntryCollector = EntryCollector()
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", Array(repeating: 0, count: fileSize))
    var limits = Settings().limits
    change(&limits)
    let reader = GuardedArchiveReader(
      MemoryArchiveReader([path: entries]), policy: ArchivePolicy(limits))
    try reader.walk(path, visitor: collector)
  }

  private func failure(_ body: () throws -> Void) -> ArchiveError? {
    do {
      try body()
      return nil
    } catch {
      return error as? ArchiveError
    }
  }

  @Test("Folders, links and devices are passed over, files keep their index")
  func regularFilesOnly() throws {
    let collector = EntryCollector()
    try walk(
      [
        .init("d/", kind: .directory), .init("link", Array("/etc/passwd".utf8), kind: .other),
        .init("d/file", [1, 2]),
      ], into: collector)
    #expect(collector.names == ["d/file"])
    #expect(collector.entries.map(\.entry.index) == [2])
    #expect(collector.entries.map(\.data) == [[1, 2]])
  }

  @Test("One entry too many ends the walk and names the setting")
  func entryLimit() throws {
    let entries = (0..<5).map { MemoryArchiveReader.Entry("\($0)", [1]) }
    try walk(entries, { $0.archiveEntries = 5 })
    let collector = EntryCollector()
    let error = failure { try walk(entries, { $0.archiveEntries = 4 }, into: collector) }
    #expect(error?.code == .limit)
    #expect(error?.description.contains("limits.archiveEntries") == true)
    #expect(collector.entries.count == 4)
  }

  @Test("Entries that are passed over count too")
  func entryLimitCountsFolders() {
    let entries = (0..<5).map { MemoryArchiveReader.Entry("\($0)/", kind: .directory) }
    #expect(failure { try walk(entries, { $0.archiveEntries = 4 }) }?.code == .limit)
  }

  @Test("Bytes are counted over all entries, exactly up to the limit")
  func byteLimit() throws {
    let entries = [
      MemoryArchiveReader.Entry("a", Array(repeating: 1, count: 600), declaredSize: 600),
      MemoryArchiveReader.Entry("b", Array(repeating: 1, count: 400), declaredSize: 400),
    ]
    try walk(entries, { $0.archiveBytes = 1_000 })
    let error = failure { try walk(entries, { $0.archiveBytes = 999 }) }
    #expect(error?.code == .limit)
    #expect(error?.description.contains("limits.archiveBytes") == true)
    #expect(error?.entryName == "b")
  }

  @Test("A declared size over the limit ends the walk before a byte is unpacked")
  func declaredSize() {
    let collector = EntryCollector()
    let error = failure {
      try walk([.init("a", [1], declaredSize: 1 << 40)], into: collector)
    }
    #expect(error?.code == .limit)
    #expect(collector.byteCount == 0)
  }

  @Test("Data beyond the declared size is never handed on")
  func longerThanDeclared() {
    let collector = EntryCollector()
    let data = [UInt8](repeating: 1, count: 200_000)
    let error = failure { try walk([.init("a", data, declaredSize: 100)], into: collector) }
    #expect(error?.code == .damaged)
    #expect(collector.byteCount <= 100)
  }

  @Test("The ratio counts beyond the first 10 MiB")
  func ratio() throws {
    let entry = { (size: Int) in
      MemoryArchiveReader.Entry("a", Array(repeating: 0, count: size), declaredSize: 0)
    }
    let within = [MemoryArchiveReader.Entry("a", Array(repeating: 0, count: 10 << 20))]
    try walk(within, fileSize: 1_000)
    let beyond = [MemoryArchiveReader.Entry("a", Array(repeating: 0, count: (10 << 20) + 1))]
    let error = failure { try walk(beyond, fileSize: 1_000) }
    #expect(error?.code == .limit)
    #expect(error?.description.contains("limits.archiveRatio") == true)
    try walk(beyond, fileSize: 100_000)
    // An entry that says it is empty and is not.
    #expect(failure { try walk([entry(1)]) }?.code == .damaged)
  }

  @Test("An entry without a declared size is counted while it is extracted")
  func undeclaredSizes() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", [0])
    var limits = Settings().limits
    limits.archiveBytes = 100_000
    let reader = GuardedArchiveReader(UndeclaredReader(), policy: ArchivePolicy(limits))
    let collector = EntryCollector(keepsData: false)
    let error = failure { try reader.walk(path, visitor: collector) }
    #expect(error?.code == .limit)
    #expect(collector.byteCount <= 100_000)
  }

  @Test("Bad entries are reported one by one, up to a limit")
  func faults() throws {
    let bad = ArchiveError(.encrypted, "needs a password", entryName: "x")
    let collector = EntryCollector(goesOn: true)
    try walk([.init("x", fault: bad), .init("y", [1])], into: collector)
    #expect(collector.entries.map(\.fault) == [bad, nil])
    let many = (0...100).map { MemoryArchiveReader.Entry("\($0)", fault: bad) }
    try walk(Array(many.dropLast()), into: EntryCollector(goesOn: true))
    #expect(failure { try walk(many, into: EntryCollector(goesOn: true)) }?.code == .damaged)
  }

  @Test("A name cannot put control characters into a message")
  func messages() {
    let error = ArchiveError(.damaged, "is bad", entryName: "a\u{1b}[2J\u{202e}b\n")
    #expect(error.description == "a\\u{1B}[2J\\u{202E}b\\n: is bad")
  }
}

/// One long entry of zeros without a declared size.
private struct UndeclaredReader: ArchiveReader {
  var formats: Set<ResourceFormat> { [.tar] }

  func walk(
    _ path: String, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    _ = try visitor.visit(ArchiveEntry(index: 0, name: "long"))
    let block = [UInt8](repeating: 0, count: 4_096)
    for _ in 0..<1_000 { try visitor.receive(block.span.bytes) }
  }
}
