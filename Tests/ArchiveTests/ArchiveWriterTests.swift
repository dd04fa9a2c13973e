import Archive
import ArchiveLibarchive
import ArchiveMinizip
import ArchiveWriting
import Models
import SystemCalls
import TestSupport
import Testing

@Suite("A written archive") struct ArchiveWriterTests {
  @Test(
    "contains the entries that were added, under their names", arguments: ArchiveKind.allCases)
  func contents(_ kind: ArchiveKind) throws {
    let folder = try TemporaryFolder()
    let files: [(name: String, bytes: [UInt8])] = [
      ("0001.jpg", Array(repeating: 7, count: 300_000)), ("0002-p0001.png", []),
      ("日本/ü.gif", [1, 2, 3]),
    ]
    let path = folder.path + "/out"
    let writer = try LibarchiveWriter(kind, to: path)
    for (index, file) in files.enumerated() {
      try writer.add(file.name, contentsOf: try folder.write("in-\(index)", file.bytes))
    }
    try writer.finish()
    let readers: [any ArchiveReader] =
      kind == .zip ? [LibarchiveReader(), MinizipReader()] : [LibarchiveReader()]
    for reader in readers {
      let collector = EntryCollector()
      try reader.walk(path, visitor: collector)
      #expect(collector.entries.map(\.entry.name) == files.map(\.name))
      #expect(collector.entries.map { Array($0.data) } == files.map(\.bytes))
    }
  }

  @Test("is the same for the same files")
  func same() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("in", [1, 2, 3])
    var outputs: [[UInt8]] = []
    for name in ["a", "b"] {
      let writer = try LibarchiveWriter(.zip, to: folder.path + "/" + name)
      try writer.add("x", contentsOf: file)
      try writer.finish()
      outputs.append(try FileSystem.contents(of: folder.path + "/" + name))
    }
    #expect(outputs[0] == outputs[1])
  }

  @Test("is an error that names the missing path, if it cannot be created")
  func errors() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: ArchiveError.self) {
      _ = try LibarchiveWriter(.tar, to: folder.path + "/none/out")
    }
    #expect(error?.code == .io)
    let writer = try LibarchiveWriter(.tar, to: folder.path + "/out")
    #expect(throws: ArchiveError.self) { try writer.add("x", contentsOf: folder.path + "/none") }
  }
}
