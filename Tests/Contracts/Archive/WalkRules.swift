import Archive
import Glibc
import TestSupport
import Testing

extension ArchiveContract {
  private static let pages: [MemoryArchiveReader.Entry] = [
    .init("b/2.png", Array("second".utf8)), .init("a/", kind: .directory),
    .init("a/10.jpg", Array(repeating: 7, count: 300_000)), .init("empty", []),
  ]

  static let walkRules: [ArchiveRule] = [
    ArchiveRule("entries are delivered in the order of the file, with their bytes") { fixture in
      for deflated in [false, true] {
        let collector = EntryCollector(decide: { entry in entry.kind == .file ? .read : .skip })
        try fixture.walk(entries: pages, deflated: deflated, collector)
        #expect(collector.names == pages.map(\.name))
        #expect(collector.entries.map(\.entry.index) == [0, 1, 2, 3])
        #expect(collector.entries.map(\.data) == pages.map(\.data))
        #expect(collector.entries.map(\.isWhole) == [true, false, true, true])
        #expect(collector.entries.map(\.entry.kind) == pages.map(\.kind))
      }
    },
    ArchiveRule("a skipped entry delivers nothing") { fixture in
      let collector = EntryCollector(decide: { entry in entry.index == 2 ? .read : .skip })
      try fixture.walk(entries: pages, collector)
      #expect(collector.entries.map(\.data.count) == [0, 0, 300_000, 0])
      #expect(collector.entries.map(\.isWhole) == [false, false, true, false])
    },
    ArchiveRule("stop ends the walk without an error") { fixture in
      let collector = EntryCollector(decide: { entry in entry.index == 1 ? .stop : .read })
      try fixture.walk(entries: pages, collector)
      #expect(collector.names == ["b/2.png", "a/"])
    },
    ArchiveRule("an empty archive is not an error") { fixture in
      let collector = EntryCollector()
      try fixture.walk(entries: [], collector)
      #expect(collector.entries.isEmpty)
    },
    ArchiveRule("an error of the visitor passes through unchanged") { fixture in
      let mine = ArchiveError(.visitor, "disk full", entryName: "x")
      let collector = EntryCollector(
        goesOn: true,
        decide: { entry throws(ArchiveError) in
          if entry.index == 2 { throw mine }
          return .skip
        })
      #expect(throws: mine) { try fixture.walk(entries: pages, collector) }
      #expect(collector.entries.count == 3)
    },
    ArchiveRule("a name that leaves the folder is only a label") { fixture in
      let names = ["../../etc/passwd", "/etc/shadow", "C:/x", "a/../../b", "...", " "]
      let collector = EntryCollector()
      try fixture.walk(entries: names.map { .init($0, Array($0.utf8)) }, collector)
      #expect(collector.names == names)
      #expect(collector.entries.allSatisfy { $0.data == Array($0.entry.name.utf8) })
    },
    ArchiveRule("a missing file, a folder and a FIFO are errors of reading") { fixture in
      let folder = try TemporaryFolder()
      let fifo = folder.path + "/fifo"
      #expect(mkfifo(fifo, 0o600) == 0)
      for path in [folder.path + "/none", folder.path, fifo] {
        #expect { try fixture.reader.walk(path, visitor: EntryCollector()) } throws: {
          ($0 as? ArchiveError)?.code == .io
        }
      }
    },
    ArchiveRule("a large entry arrives in blocks") { fixture in
      let collector = EntryCollector(keepsData: false)
      try fixture.walk(
        entries: [.init("big", Array(repeating: 9, count: 8 << 20))], deflated: true, collector)
      #expect(collector.byteCount == 8 << 20)
      #expect(collector.largestBlock <= 1 << 20)
      #expect(collector.entries.first?.isWhole == true)
    },
    ArchiveRule("equal names stay apart") { fixture in
      let collector = EntryCollector()
      try fixture.walk(entries: [.init("a", [1]), .init("a", [2]), .init("A", [3])], collector)
      #expect(collector.entries.map(\.data) == [[1], [2], [3]])
    },
  ]
}
