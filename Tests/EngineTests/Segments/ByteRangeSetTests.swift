import TestSupport
import Testing

@testable import Engine

@Suite("Sets of byte ranges") struct ByteRangeSetTests {
  @Test("Ranges that overlap or touch are merged", arguments: 0..<200)
  func model(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var set = ByteRangeSet()
    var bytes: Set<Int64> = []
    for _ in 0..<40 {
      let start = Int64.random(in: 0..<60, using: &random)
      let range = start..<start + Int64.random(in: 0...9, using: &random)
      set.insert(range)
      bytes.formUnion(range)
      #expect(set.byteCount == Int64(bytes.count))
      #expect(set.ranges.allSatisfy { !$0.isEmpty && $0.allSatisfy(bytes.contains) })
      #expect(zip(set.ranges, set.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
      let end = (0...100).first { !bytes.contains($0) } ?? 0
      #expect(set.prefixEnd == end && set.covers(end) && !set.covers(end + 1))
      let from = Int64.random(in: 0..<70, using: &random)
      let gap = set.firstGap(from: from, upTo: 70)
      #expect(gap?.lowerBound == (from..<70).first { !bytes.contains($0) })
      if let gap { #expect(gap.upperBound == 70 || bytes.contains(gap.upperBound)) }
      #expect(set.prefix(upTo: from).byteCount == Int64(bytes.count { $0 < from }))
    }
  }
}

@Suite("The list of ranges in a partial file") struct SegmentJournalTests {
  private let journal = SegmentJournal(
    received: ByteRangeSet([0..<10, 20..<30, 90..<100]), durable: ByteRangeSet([0..<5]))

  @Test("A slot is read as it was written")
  func roundTrip() throws {
    let bytes = journal.encoded(sequence: 7, total: 100)
    #expect(bytes.count == SegmentJournal.slotBytes)
    let found = try #require(SegmentJournal.decode(bytes, total: 100))
    #expect(found.sequence == 7 && found.journal == journal)
    #expect(SegmentJournal.decode(bytes, total: 101) == nil)
    let empty = SegmentJournal().encoded(sequence: 0, total: 0)
    #expect(SegmentJournal.decode(empty, total: 0)?.journal == SegmentJournal())
  }

  @Test("A slot with a changed or missing byte is not read")
  func damage() {
    let bytes = journal.encoded(sequence: 7, total: 100)
    let length = (4 + 2 * 4 + 1) * 8
    for index in 0..<length {
      var damaged = bytes
      damaged[index] ^= 1 << UInt8(index % 8)
      #expect(SegmentJournal.decode(damaged, total: 100) == nil, "byte \(index)")
      #expect(SegmentJournal.decode(bytes.prefix(index), total: 100) == nil, "\(index) bytes")
    }
  }

  @Test("More ranges than a slot holds are left out")
  func manyRanges() throws {
    let ranges = ByteRangeSet((0..<500).map { Int64($0) * 10..<Int64($0) * 10 + 5 })
    let bytes = SegmentJournal(received: ranges, durable: ranges).encoded(
      sequence: 1, total: 10_000)
    #expect(bytes.count == SegmentJournal.slotBytes)
    let found = try #require(SegmentJournal.decode(bytes, total: 10_000))
    let limit = SegmentJournal.maximumRangeCount
    #expect(found.journal.received.ranges == Array(ranges.ranges.prefix(limit)))
    #expect(found.journal.durable == found.journal.received)
  }

  @Test("Ranges beyond the file or out of order are not read", arguments: 0..<300)
  func garbage(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let bytes = random.bytes(SegmentJournal.slotBytes)
    #expect(SegmentJournal.decode(bytes, total: 100) == nil)
    let wide = SegmentJournal(received: ByteRangeSet([0..<101])).encoded(sequence: 1, total: 100)
    #expect(SegmentJournal.decode(wide, total: 100) == nil)
  }
}
