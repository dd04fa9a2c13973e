import Archive
import Foundation
import TestSupport
import Testing

extension ArchiveContract {
  private static func rule(
    _ sentence: String, _ check: @escaping @Sendable (ArchiveFixture) throws -> Void
  ) -> ArchiveRule {
    ArchiveRule(sentence, for: .zip, check)
  }

  static let zipRules: [ArchiveRule] = [
    rule("sizes are reported as the archive declares them") { fixture in
      let entries = try fixture.collect(
        ZipBuilder([.deflated("z", Array(repeating: 0, count: 999))]))
      #expect(entries.map(\.entry.uncompressedSize) == [999])
    },
    rule("names are UTF-8 with and without the flag") { fixture in
      var silent = ZipBuilder.Entry.stored("Straße/日本.png", [1])
      silent.flags = 0
      let entries = try fixture.collect(ZipBuilder([.stored("Ünïcode ✓.png", [1]), silent]))
      #expect(entries.map(\.entry.name) == ["Ünïcode ✓.png", "Straße/日本.png"])
    },
    rule("names that are not UTF-8 are CP437") { fixture in
      var entry = ZipBuilder.Entry.stored("", [1])
      // ÉTÉ│ä in code page 437.
      entry.name = [0x90, 0x54, 0x90, 0xb3, 0x84]
      let entries = try fixture.collect(ZipBuilder([entry]))
      #expect(entries.map(\.entry.name) == ["ÉTÉ│ä"])
    },
    rule("the byte of a backslash may be the second one of a character in Shift-JIS") { fixture in
      var entry = ZipBuilder.Entry.stored("", [1])
      // 表紙.png, whose first character ends with the code of a backslash.
      entry.name = [0x95, 0x5c, 0x8e, 0x86, 0x2e, 0x70, 0x6e, 0x67]
      (entry.system, entry.mode) = (0, 0)
      let entries = try fixture.collect(ZipBuilder([entry]))
      #expect(entries.map(\.entry.name) == ["表紙.png"])
    },
    rule("a backslash separates folders") { fixture in
      var entry = ZipBuilder.Entry.stored("a\\b.png", [1])
      entry.system = 0
      entry.mode = 0
      let entries = try fixture.collect(ZipBuilder([entry]))
      #expect(entries.map(\.entry.name) == ["a/b.png"])
    },
    rule("links and devices are neither files nor folders") { fixture in
      var link = ZipBuilder.Entry.stored("link", Array("/etc/passwd".utf8))
      link.mode = 0o120777
      var device = ZipBuilder.Entry.stored("device", [])
      device.mode = 0o020666
      let collector = EntryCollector(decide: { _ in .skip })
      try fixture.walk(file: ZipBuilder([link, device, .stored("file", [1])]).build(), collector)
      #expect(collector.entries.map(\.entry.kind) == [.other, .other, .file])
    },
    rule("symbolic links name the entries to which they lead") { fixture in
      let targets = [
        ("1.png", "d/1.png"), ("../e/./x.png", "e/x.png"), ("/etc/passwd", nil),
        ("../../x.png", nil), ("日本.png", "d/日本.png"),
      ]
      var entries: [ZipBuilder.Entry] = []
      for (number, target) in targets.enumerated() {
        let path = Array(target.0.utf8)
        for link in [
          ZipBuilder.Entry.stored("d/s\(number)", path), .deflated("d/z\(number)", path),
        ] {
          entries.append(link)
          entries[entries.count - 1].mode = 0o120777
        }
      }
      let collector = EntryCollector(decide: { _ in .skip })
      try fixture.walk(file: ZipBuilder(entries + [.stored("d/1.png", [1])]).build(), collector)
      #expect(
        collector.entries.map(\.entry.linkTarget)
          == targets.flatMap { [$0.1, $0.1] } + [nil])
      #expect(collector.entries.dropLast().allSatisfy { $0.entry.kind == .other })
    },
    rule("zip64 is read, or refused before the first entry") { fixture in
      var entry = ZipBuilder.Entry.deflated("wide", Array("zip64".utf8))
      entry.isZip64 = true
      let zip = ZipBuilder([.stored("narrow", [1]), entry])
      guard fixture.subject.readsZip64 else {
        let collector = EntryCollector()
        let error = #expect(throws: ArchiveError.self) {
          try fixture.walk(file: zip.build(), collector)
        }
        #expect(error?.code == .unsupported)
        #expect(error?.detail.contains("zip64") == true)
        return #expect(collector.entries.isEmpty)
      }
      let entries = try fixture.collect(zip)
      #expect(entries.map(\.data) == [[1], Array("zip64".utf8)])
      #expect(entries.allSatisfy { $0.isWhole })
    },
    rule("zip64 behind other data is read, or refused before the first entry") { fixture in
      var entry = ZipBuilder.Entry.deflated("wide", Array("zip64".utf8))
      entry.isZip64 = true
      for isCounted in [false, true] {
        // A record with further data is not where readers expect one that was shifted.
        for data: [UInt8] in [[], Array(repeating: 0x50, count: 1_000)] {
          var zip = ZipBuilder([.stored("narrow", [1]), entry])
          zip.prefix = Array("#!/bin/sh\nexit\n".utf8)
          zip.countsPrefix = isCounted
          zip.wideData = data
          guard fixture.subject.readsZip64 else {
            let collector = EntryCollector()
            let error = #expect(throws: ArchiveError.self) {
              try fixture.walk(file: zip.build(), collector)
            }
            #expect(error?.code == .unsupported)
            #expect(collector.entries.isEmpty)
            continue
          }
          let entries = try fixture.collect(zip)
          #expect(entries.map(\.data) == [[1], Array("zip64".utf8)], "\(isCounted) \(data.count)")
          #expect(entries.allSatisfy { $0.isWhole })
        }
      }
    },
    rule("sizes may follow the data") { fixture in
      var entry = ZipBuilder.Entry.deflated("streamed", Array("data descriptor".utf8))
      entry.flags |= 8
      let entries = try fixture.collect(ZipBuilder([entry, .stored("next", [2])]))
      #expect(entries.map(\.data) == [Array("data descriptor".utf8), [2]])
      #expect(entries.allSatisfy { $0.isWhole })
    },
    rule("junk before, junk after and a comment do no harm") { fixture in
      var zip = ZipBuilder([.stored("a", [1]), .deflated("b", [2, 2])])
      zip.comment = Array("PK as a comment".utf8)
      zip.suffix = Array("trailing junk".utf8)
      let plain = try fixture.collect(zip)
      #expect(plain.map(\.data) == [[1], [2, 2]])
      zip.prefix = Array("#!/bin/sh\nexit\n".utf8)
      let prefixed = try fixture.collect(zip)
      #expect(prefixed.map(\.data) == [[1], [2, 2]])
    },
    rule(
      "the record whose comment ends the file and that has a directory counts, and none in the comment"
    ) {
      fixture in
      let zip = ZipBuilder([.stored("a", [1]), .deflated("b", [2, 2])])
      for comment in zip.misleadingComments {
        var other = zip
        other.comment = comment
        let data = try fixture.collect(other).map(\.data)
        #expect(data == [[1], [2, 2]])
      }
    },
    rule("a self-extracting program and more trailing bytes than a library reads are accepted") {
      fixture in
      for isAdjusted in [false, true] {
        for count in [20_000, 60_000, 100_000] {
          var zip = ZipBuilder([.stored("a", [1]), .deflated("b", [2, 2])])
          zip.prefix = Array("MZ".utf8) + Array(repeating: 0, count: 200_000)
          zip.suffix = Array(repeating: 0x50, count: count)
          zip.countsPrefix = isAdjusted
          let data = try fixture.collect(zip).map(\.data)
          #expect(data == [[1], [2, 2]], "\(isAdjusted) \(count)")
        }
      }
    },
    rule("the order is that of the data, not of the directory") { fixture in
      var zip = ZipBuilder((0..<5).map { .stored("\($0)", [UInt8($0)]) })
      zip.directoryOrder = [3, 1, 4, 0, 2]
      let entries = try fixture.collect(zip)
      #expect(entries.map(\.entry.name) == ["0", "1", "2", "3", "4"])
      #expect(entries.map(\.data) == [[0], [1], [2], [3], [4]])
    },
    rule("10,000 entries are read") { fixture in
      let entries = (0..<10_000).map { ZipBuilder.Entry.stored("\($0).jpg", [UInt8($0 & 255)]) }
      let collector = EntryCollector()
      try fixture.walk(file: ZipBuilder(entries).build(), collector)
      #expect(collector.entries.count == 10_000)
      #expect(collector.entries.allSatisfy { $0.isWhole })
      #expect(collector.entries.last?.data == [UInt8(9_999 & 255)])
    },
    rule("descriptors and memory are given back") { fixture in
      let zip = ZipBuilder([.deflated("a", [1])]).build()
      let folder = try TemporaryFolder()
      let path = try folder.write("a.zip", zip)
      for _ in 0..<50 {
        try fixture.reader.walk(path, visitor: EntryCollector())
        #expect(throws: ArchiveError.self) {
          try fixture.reader.walk(folder.path, visitor: EntryCollector())
        }
      }
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        .filter { name in
          let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(name)")
          return target?.hasPrefix(folder.path) ?? false
        }
      #expect(open.isEmpty)
    },
  ]
}
