import Archive
import TestSupport
import Testing

extension ArchiveContract {
  private static let text = Array("The quick brown fox jumps over the lazy dog".utf8)

  private static func rule(
    _ sentence: String, _ check: @escaping @Sendable (ArchiveFixture) throws -> Void
  ) -> ArchiveRule {
    ArchiveRule(sentence, for: .zip, check)
  }

  /// One bad entry between two good ones: the walk can go on, and ends at the bad one otherwise.
  private static func expectFault(
    _ bad: ZipBuilder.Entry, _ codes: Set<ArchiveError.Code>, _ fixture: ArchiveFixture
  ) throws {
    let zip = ZipBuilder([.stored("first", text), bad, .deflated("last", text)])
    let entries = try fixture.collect(zip)
    #expect(entries.map(\.isWhole) == [true, false, true])
    try #require(entries.count == 3)
    let fault = try #require(entries[1].fault)
    #expect(codes.contains(fault.code), "\(fault.code): \(fault)")
    #expect(fault.entryName == String(decoding: bad.name, as: UTF8.self))
    #expect(entries[2].data == text)
    #expect(fixture.failure(zip.build()) == fault)
  }

  static let damageRules: [ArchiveRule] = [
    ArchiveRule(
      "a damaged entry is reported, and reading continues with the next one if the visitor wants",
      for: .memory
    ) {
      fixture in
      let fault = ArchiveError(.damaged, "its checksum is wrong", entryName: "b")
      let collector = EntryCollector(goesOn: true)
      let entries: [MemoryArchiveReader.Entry] = [
        .init("a", text), .init("b", text, fault: fault), .init("c", text),
      ]
      try fixture.walk(entries: entries, collector)
      #expect(collector.entries.map(\.isWhole) == [true, false, true])
      #expect(throws: fault) { try fixture.walk(entries: entries, EntryCollector()) }
    },
    rule("a wrong checksum is damage, stored or deflated") { fixture in
      for var entry in [ZipBuilder.Entry.stored("bad", text), .deflated("bad", text)] {
        entry.crc ^= 1
        try expectFault(entry, [.damaged], fixture)
      }
    },
    rule("data that is not a deflate stream is damage") { fixture in
      var entry = ZipBuilder.Entry.deflated("bad", text)
      entry.packed = Array(repeating: 0xff, count: 60)
      try expectFault(entry, [.damaged], fixture)
    },
    rule("a deflate stream without its end is damage") { fixture in
      var entry = ZipBuilder.Entry.deflated("bad", text)
      entry.packed.removeLast(10)
      try expectFault(entry, [.damaged, .truncated], fixture)
    },
    rule("an entry that is shorter than declared is damage") { fixture in
      var entry = ZipBuilder.Entry.deflated("bad", text)
      entry.uncompressedSize += 10
      try expectFault(entry, [.damaged, .truncated], fixture)
    },
    rule("an entry that is longer than declared is damage, and no more than declared is delivered")
    { fixture in
      var entry = ZipBuilder.Entry.deflated("bad", Array(repeating: 1, count: 500_000))
      entry.uncompressedSize = 1_000
      try expectFault(entry, [.damaged], fixture)
      let entries = try fixture.collect(ZipBuilder([entry]))
      let first = try #require(entries.first)
      #expect(first.data.count <= 1_000)
    },
    rule("a stored entry with two different sizes is damage") { fixture in
      var entry = ZipBuilder.Entry.stored("bad", text)
      entry.uncompressedSize = 5
      try expectFault(entry, [.damaged], fixture)
    },
    rule("an encrypted entry fails with an error for a missing password") { fixture in
      var entry = ZipBuilder.Entry.stored("secret", text)
      entry.flags |= 1
      try expectFault(entry, [.encrypted], fixture)
      let entries = try fixture.collect(ZipBuilder([entry]))
      #expect(entries.map(\.entry.isEncrypted) == [true])
      #expect(entries.map(\.data) == [[]])
    },
    rule("an entry with AES encryption needs a password, too") { fixture in
      var entry = ZipBuilder.Entry.stored("secret", text)
      entry.flags |= 1
      entry.method = 99
      try expectFault(entry, [.encrypted], fixture)
    },
    rule("an unknown compression method is unsupported") { fixture in
      var entry = ZipBuilder.Entry.stored("odd", text)
      entry.method = 96
      try expectFault(entry, [.unsupported], fixture)
    },
    rule("a header that contradicts the directory is damage") { fixture in
      var zip = ZipBuilder([.stored("a", text)]).build()
      // The checksum in the local header.
      zip[14] ^= 0x55
      let collector = EntryCollector(goesOn: true)
      try fixture.walk(file: zip, collector)
      #expect(collector.entries.map(\.fault?.code) == [.damaged])
    },
    rule("a file that is not an archive is distinguished from an incomplete archive") { fixture in
      #expect(fixture.failure([])?.code == .format)
      #expect(fixture.failure(Array("<html>not a zip</html>".utf8))?.code == .format)
      let zip = ZipBuilder([.stored("a", text), .deflated("b", text)]).build()
      #expect(fixture.failure(Array(zip.prefix(60)))?.code == .truncated)
    },
    rule("a zip that ends before its directory has its whole entries, and the error follows them") {
      fixture in
      // The entry between the others is itself a zip, with sizes behind the data.
      var inner = ZipBuilder([.stored("inner", text), .deflated("other", text)])
      for index in inner.entries.indices { inner.entries[index].flags |= 8 }
      let all: [ZipBuilder.Entry] = [
        .deflated("a", text), .stored("b.zip", inner.build()), .stored("é", text),
      ]
      for flags in [0, 8] {
        let entries = all.map { entry in
          var entry = entry
          entry.flags |= flags
          return entry
        }
        let zip = ZipBuilder(entries).build()
        var ends: [Int] = []
        for entry in entries {
          let header = 30 + entry.name.count + (flags == 8 ? 16 : 0)
          ends.append((ends.last ?? 0) + header + entry.packed.count)
        }
        for length in [ends[0] - 1] + ends + [ends[2] + 1, ends[2] + 60, zip.count - 1] {
          let count = ends.filter { $0 <= length }.count
          let collector = EntryCollector(goesOn: true)
          let error = #expect(throws: ArchiveError.self) {
            try fixture.walk(file: Array(zip.prefix(length)), collector)
          }
          #expect(error?.code == .truncated, "cut at \(length)")
          #expect(collector.names == Array(["a", "b.zip", "é"].prefix(count)), "cut at \(length)")
          #expect(collector.entries.allSatisfy { $0.isWhole })
        }
      }
    },
    rule("entries of a cut zip are checked, and the walk may end at any of them") { fixture in
      var bad = ZipBuilder.Entry.stored("bad", text)
      bad.crc ^= 1
      let zip = ZipBuilder([.stored("a", text), bad, .stored("c", text)]).build()
      let cut = Array(zip.dropLast(23))
      let collector = EntryCollector(goesOn: true)
      #expect(throws: ArchiveError.self) { try fixture.walk(file: cut, collector) }
      #expect(collector.entries.map(\.isWhole) == [true, false, true])
      #expect(fixture.failure(cut)?.entryName == "bad")
      let first = EntryCollector(decide: { _ in .stop })
      try fixture.walk(file: cut, first)
      #expect(first.names == ["a"])
    },
    rule("a truncated archive is an error at any length, never a crash and never complete") {
      fixture in
      let zip = ZipBuilder([.stored("a", text), .deflated("b", text), .stored("c", text)]).build()
      for length in 0..<zip.count {
        let error = fixture.failure(Array(zip.prefix(length)))
        #expect(error != nil, "cut at \(length)")
        #expect(
          [.format, .truncated, .damaged].contains(error?.code),
          "cut at \(length): \(String(describing: error))")
      }
    },
  ]
}
