import TestSupport
import Testing

@testable import Control

@Suite("Event ring")
struct EventRingTests {
  /// What a ring must do, in the simplest way.
  private struct Model {
    var events: [(seq: UInt64, bytes: [UInt8])] = []
    var beginning: UInt64?
    let countLimit: Int
    let byteLimit: Int

    mutating func append(_ bytes: [UInt8], seq: UInt64) {
      if let last = events.last, last.seq + 1 != seq { events = [] }
      beginning = beginning ?? seq
      events.append((seq, bytes))
      while events.count > countLimit
        || (events.count > 1 && events.reduce(0) { $0 + $1.bytes.count } > byteLimit)
      {
        events.removeFirst()
      }
    }

    /// Everything after `seq`; nil when something is missing.
    func read(after seq: UInt64?) -> [UInt8]? {
      guard let last = events.last, let first = events.first else { return seq == nil ? [] : nil }
      if let seq, seq > last.seq { return nil }
      let next = seq.map { $0 + 1 } ?? beginning ?? 0
      guard next >= first.seq else { return nil }
      return events.filter { $0.seq >= next }.flatMap(\.bytes)
    }
  }

  private static func ring(_ countLimit: Int, _ byteLimit: Int) -> EventRing<[UInt8]> {
    EventRing(countLimit: countLimit, byteLimit: byteLimit) { $0 }
  }

  @Test("gives every reader what a plain list would, or says that it cannot", arguments: 0..<20)
  func model(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let countLimit = Int.random(in: 1...20, using: &random)
    let byteLimit = Int.random(in: 1...200, using: &random)
    var ring = Self.ring(countLimit, byteLimit)
    var model = Model(countLimit: countLimit, byteLimit: byteLimit)
    var seq = UInt64.random(in: 0...50, using: &random)
    for _ in 0..<300 {
      seq += Int.random(in: 0..<30, using: &random) == 0 ? 5 : 1
      let bytes = random.bytes(Int.random(in: 0...40, using: &random))
      ring.append(bytes, size: bytes.count, seq: seq)
      model.append(bytes, seq: seq)
      #expect(ring.count == model.events.count)
      #expect(ring.newest == seq)
      let position: UInt64? =
        Int.random(in: 0..<10, using: &random) == 0
        ? nil : UInt64.random(in: (seq > 30 ? seq - 30 : 0)...(seq + 2), using: &random)
      #expect(readAll(&ring, after: position, &random) == model.read(after: position))
    }
  }

  /// In portions of random size.
  private func readAll(
    _ ring: inout EventRing<[UInt8]>, after start: UInt64?, _ random: inout SeededGenerator
  ) -> [UInt8]? {
    var position = start
    var all: [UInt8] = []
    while true {
      switch ring.read(after: position, limit: Int.random(in: 0...60, using: &random)) {
      case .nothing: return all
      case .overwritten: return nil
      case .bytes(let bytes, let last):
        all += bytes
        #expect(position.map { $0 < last } ?? true)
        position = last
      }
    }
  }

  @Test("has nothing to give and nothing to miss before the first event")
  func empty() {
    var ring = Self.ring(4, 100)
    #expect(ring.read(after: nil, limit: 10) == .nothing)
    #expect(ring.read(after: 0, limit: 10) == .overwritten)
    ring.append([1], size: 1, seq: 38)
    #expect(ring.read(after: nil, limit: 10) == .bytes([1], upTo: 38))
    #expect(ring.read(after: 37, limit: 10) == .bytes([1], upTo: 38))
    #expect(ring.read(after: 36, limit: 10) == .overwritten)
  }

  @Test("is not confused by numbers at the ends of their range")
  func ends() {
    var ring = Self.ring(4, 100)
    ring.append([1], size: 1, seq: 0)
    #expect(ring.read(after: .max, limit: 10) == .overwritten)
    #expect(ring.read(after: 0, limit: 10) == .nothing)
    var last = Self.ring(4, 100)
    last.append([1], size: 1, seq: .max)
    #expect(last.read(after: .max, limit: 10) == .nothing)
    #expect(last.read(after: .max - 1, limit: 10) == .bytes([1], upTo: .max))
    #expect(last.read(after: 0, limit: 10) == .overwritten)
  }

  @Test("keeps the newest event, however long it is")
  func long() {
    var ring = Self.ring(4, 10)
    ring.append([1, 2, 3], size: 3, seq: 1)
    ring.append([UInt8](repeating: 7, count: 50), size: 50, seq: 2)
    #expect(ring.count == 1)
    #expect(
      ring.read(after: 1, limit: 0) == .bytes([UInt8](repeating: 7, count: 50), upTo: 2))
  }
}
