import Archive
import TestSupport
import Testing

@Suite("Zip directory")
struct ZipDirectoryTests {
  private func directory(_ bytes: [UInt8], limit: Int = .max - 1) throws -> ZipDirectory? {
    let folder = try TemporaryFolder()
    return ZipDirectory(try ArchiveFile(try folder.write("a.zip", bytes)), limit: limit)
  }

  @Test("Offsets and sizes are found, also with data before the archive and in zip64")
  func findsEntries() throws {
    var wide = ZipBuilder.Entry.deflated("wide", Array(repeating: 5, count: 1_000))
    wide.isZip64 = true
    var zip = ZipBuilder([.stored("a", [1, 2, 3]), wide])
    zip.prefix = Array(repeating: 0x50, count: 77)
    let entries = try #require(try directory(zip.build())).entries
    #expect(entries.map(\.offset) == [77, 111])
    #expect(entries.map(\.compressedSize) == [3, Int64(wide.packed.count)])
    #expect(entries.map(\.uncompressedSize) == [3, 1_000])
    #expect(entries.map(\.isWide) == [false, true])
  }

  @Test("The end record is the one whose comment ends the file, and not one inside of that comment")
  func recordInComment() throws {
    var zip = ZipBuilder([.stored("a", [1, 2, 3])])
    zip.comment = Array(repeating: 32, count: 100) + ZipBuilder().build() + [121]
    #expect(try #require(try directory(zip.build())).entries.count == 1)
    // With other bytes behind the archive, no comment ends the file, and the last record counts.
    zip.comment = []
    zip.suffix = Array(repeating: 0, count: 9)
    #expect(try #require(try directory(zip.build())).entries.count == 1)
  }

  @Test("A zip is recognised by its end record, also with data before and after it")
  func endsAsZip() throws {
    func endsAsZip(_ bytes: [UInt8]) throws -> Bool {
      let folder = try TemporaryFolder()
      return try ArchiveFile(try folder.write("a", bytes)).endsAsZip
    }
    var zip = ZipBuilder([.stored("a", [1, 2, 3])])
    #expect(try endsAsZip(zip.build()))
    zip.prefix = Array("#!/bin/sh\nexec unzip $0\n".utf8) + Array(repeating: 7, count: 300_000)
    #expect(try endsAsZip(zip.build()))
    zip.comment = Array(repeating: 0x50, count: 65_535)
    #expect(try endsAsZip(zip.build()))
    zip.comment = []
    zip.suffix = Array(repeating: 0, count: 60_000)
    #expect(try endsAsZip(zip.build()))
    // An end record alone, fields that do not fit, and text that mentions the signature are no zip.
    #expect(try !endsAsZip(ZipBuilder().build()))
    #expect(try !endsAsZip(Array("text PK\u{5}\u{6} and more than twenty-two bytes of it".utf8)))
    zip.suffix = []
    var broken = zip.build()
    broken[zip.prefix.count] = 0
    #expect(try !endsAsZip(broken))
    #expect(try endsAsZip(Array(zip.build().dropFirst(zip.prefix.count + 40))) == false)
    #expect(try !endsAsZip([]))
  }

  @Test("Adjacent entries do not overlap, independent of their order in the directory")
  func noOverlap() throws {
    var zip = ZipBuilder((0..<20).map { .stored("\($0)", Array(repeating: 1, count: $0)) })
    #expect(try #require(try directory(zip.build())).hasOverlaps == false)
    zip.directoryOrder = Array((0..<20).reversed())
    let reversed = try #require(try directory(zip.build()))
    #expect(!reversed.hasOverlaps)
    #expect(reversed.orderByOffset == Array((0..<20).reversed()))
  }

  @Test("Reading stops one entry after the limit")
  func limit() throws {
    let zip = ZipBuilder((0..<50).map { .stored("\($0)", []) })
    #expect(try #require(try directory(zip.build(), limit: 10)).entries.count == 11)
  }

  @Test("Random bytes and damaged directories never trap")
  func damage() throws {
    var wide = ZipBuilder.Entry.stored("wide", [1])
    wide.isZip64 = true
    let good = ZipBuilder([.stored("a", [1]), wide, .deflated("c", [3])]).build()
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<500 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let index = Int.random(in: bytes.indices, using: &generator)
        bytes[index] =
          [0, 0xff, 0x7f, UInt8.random(in: 0...255, using: &generator)]
          .randomElement(using: &generator) ?? 0
      }
      let directory = try directory(bytes)
      #expect((directory?.uncompressedSize ?? 0) >= 0)
      _ = directory?.hasOverlaps
    }
  }
}
