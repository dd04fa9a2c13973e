import TestSupport
import Testing

@testable import Engine

@Suite("The division of a file among connections") struct SegmentPlanTests {
  private static func plan(
    _ total: Int64, _ received: [Range<Int64>] = [], minimum: Int64 = 10, count: Int = 4
  ) -> SegmentPlan {
    SegmentPlan(
      total: total, received: ByteRangeSet(received),
      limits: SegmentPlan.Limits(minimumBytes: minimum, maximumCount: count))
  }

  @Test("Pieces are handed out in ascending order, beside the stream")
  func order() {
    var plan = Self.plan(100)
    #expect(plan.addStream(at: 5, now: 0).range == 5..<30)
    let ranges = (0..<4).map { _ in plan.next(now: 0)?.range }
    #expect(ranges == [0..<5, 30..<47, 47..<60, nil])
  }

  @Test("A remainder below the minimum belongs to the last piece")
  func remainder() {
    var plan = Self.plan(39, [0..<5], count: 2)
    #expect(plan.addStream(at: 5, now: 0).range == 5..<22)
    #expect(plan.next(now: 0)?.range == 22..<39)
    var last = Self.plan(24, [0..<5], count: 2)
    #expect(last.addStream(at: 5, now: 0).range == 5..<24)
  }

  @Test("Pieces are a share of the rest, between the minimum and 64 MiB")
  func pieceSize() {
    let mebibyte: Int64 = 1 << 20
    var plan = Self.plan(480 * mebibyte, minimum: mebibyte, count: 8)
    #expect(plan.next(now: 0)?.range == 0..<60 * mebibyte)
    #expect(plan.next(now: 0)?.range == 60 * mebibyte..<60 * mebibyte + 420 * mebibyte / 8)
    var huge = Self.plan(1 << 40, minimum: mebibyte, count: 4)
    #expect(huge.next(now: 0)?.range == 0..<64 * mebibyte)
    var rest = Self.plan(960 * mebibyte, [0..<955 * mebibyte], minimum: mebibyte, count: 8)
    #expect(rest.next(now: 0)?.range == 955 * mebibyte..<956 * mebibyte)
  }

  @Test("What a response lacks is handed out again, in pieces of the size that the server sends")
  func shortResponses() throws {
    var plan = Self.plan(1_000, count: 4)
    let first = try plan.handOut(now: 0)
    #expect(first.range == 0..<250)
    _ = plan.confirm(first.id, upTo: 40)
    #expect(plan.room(for: first.id) == 40)
    plan.receive(40, for: first.id)
    #expect(plan.isDone(first.id))
    plan.end(first.id)
    let second = try plan.handOut(now: 0)
    #expect(second.range == 40..<80)
    // A whole response: the server may send more.
    plan.expectConfirmed(second.id)
    let third = try plan.handOut(now: 0)
    #expect(third.range == 80..<160)
    #expect(plan.capacity == 4)
  }

  @Test("A first response that ends early is limited to its range")
  func shortStream() throws {
    var plan = Self.plan(1_000, [0..<100], count: 4)
    let stream = plan.addStream(at: 100, of: 60..<160, now: 0)
    #expect(stream.range == 100..<160 && stream.isConfirmed && !stream.isStream)
    #expect(try plan.handOut(now: 0).range == 160..<260)
    plan.receive(60, for: stream.id)
    #expect(plan.room(for: stream.id) == 0 && plan.isDone(stream.id))
    var whole = Self.plan(1_000, [0..<100], count: 4)
    #expect(whole.addStream(at: 100, of: 60..<1_000, now: 0).isStream)
  }

  /// A plan of which only the last 300 bytes are missing, in three pieces.
  private static func nearEnd() -> SegmentPlan {
    plan(2_400, [0..<2_100], minimum: 100, count: 3)
  }

  @Test("The second half of the segment that would end last is handed out")
  func split() throws {
    var plan = Self.nearEnd()
    let slow = try plan.handOut(now: 0)
    let other = try plan.handOut(now: 0)
    let fast = try plan.handOut(now: 39)
    #expect([slow, other, fast].map(\.range) == [2_100..<2_200, 2_200..<2_300, 2_300..<2_400])
    for segment in [slow, other, fast] { plan.expectConfirmed(segment.id) }
    plan.receive(100, for: other.id)
    plan.end(other.id)
    plan.receive(40, for: slow.id)
    plan.receive(20, for: fast.id)
    // At time 40 the slow one has 60 bytes left, for 60 seconds; the fast one 80 bytes, for 4 seconds.
    let half = try plan.handOut(now: 40)
    #expect(half.range == 2_170..<2_200 && plan[slow.id]?.range == 2_100..<2_170)
  }

  @Test("A segment without a response, or too short for two halves, is not split")
  func noSplit() throws {
    var plan = Self.nearEnd()
    let segments = try [plan.handOut(now: 0), plan.handOut(now: 0), plan.handOut(now: 0)]
    plan.end(segments[0].id)
    let again = try plan.handOut(now: 0.1)
    #expect(again.range == segments[0].range)
    plan.expectConfirmed(again.id)
    plan.receive(100, for: again.id)
    plan.end(again.id)
    plan.expectConfirmed(segments[1].id)
    plan.receive(81, for: segments[1].id)
    #expect(plan.next(now: 0.5) == nil)
  }

  @Test("A segment without a response is requested a second time, and the first response counts")
  func duplicate() throws {
    for isOriginalFirst in [true, false] {
      var plan = Self.nearEnd()
      let segments = try [plan.handOut(now: 0), plan.handOut(now: 0), plan.handOut(now: 0)]
      plan.expectConfirmed(segments[0].id)
      plan.expectConfirmed(segments[1].id)
      plan.receive(100, for: segments[0].id)
      plan.receive(90, for: segments[1].id)
      plan.end(segments[0].id)
      // While another segment receives, the response may still be on its way.
      #expect(plan.next(now: 0.5) == nil)
      let second = try plan.handOut(now: 1)
      #expect(second.range == segments[2].range)
      plan.receive(10, for: segments[1].id)
      plan.end(segments[1].id)
      #expect(plan.next(now: 9) == nil)
      let (first, last) = isOriginalFirst ? (segments[2], second) : (second, segments[2])
      plan.expectConfirmed(first.id)
      let isNeeded = plan.confirm(last.id)
      #expect(!isNeeded && plan[last.id] == nil && plan.room(for: last.id) == 0)
      plan.receive(100, for: first.id)
      plan.end(first.id)
      plan.end(last.id)
      #expect(plan.isComplete)
    }
  }

  @Test("If no other segment receives, a segment without a response is requested again at once")
  func duplicateOfLast() throws {
    var plan = Self.nearEnd()
    let segments = try [plan.handOut(now: 0), plan.handOut(now: 0), plan.handOut(now: 0)]
    for segment in segments.prefix(2) {
      plan.expectConfirmed(segment.id)
      plan.receive(100, for: segment.id)
      plan.end(segment.id)
    }
    let second = try plan.handOut(now: 0.1)
    #expect(second.range == segments[2].range)
    // The range is not unassigned after the failure of one of the two.
    plan.end(segments[2].id, .failed)
    #expect(plan.active.map(\.id) == [second.id])
  }

  @Test("A segment that ends soon is not split")
  func noSplitOfFastSegment() throws {
    var plan = Self.plan(1_000, minimum: 600, count: 2)
    let segment = try plan.handOut(now: 0)
    plan.expectConfirmed(segment.id)
    plan.receive(700, for: segment.id)
    // At 1,400 bytes per second, 300 bytes take a fifth of a second.
    #expect(plan.next(now: 0.5) == nil)
    // At 350 bytes per second they take most of a second.
    #expect(plan.next(now: 2)?.range == 850..<1_000)
  }

  @Test("A curtailed segment ends within about a second, and its rest is handed out again")
  func curtail() throws {
    var plan = Self.plan(10_000, minimum: 100, count: 3)
    let first = try plan.handOut(now: 0)
    let second = try plan.handOut(now: 0)
    for segment in [first, second] { plan.expectConfirmed(segment.id) }
    plan.receive(200, for: second.id)
    let removed = plan.curtail(now: 2)
    #expect(removed == nil)
    let shortened = try #require(plan[second.id])
    #expect(shortened.range == second.start..<second.start + 300)
    #expect(plan.next(now: 2)?.range.lowerBound == shortened.end)
    plan.receive(100, for: second.id)
    #expect(plan.isDone(second.id))
  }

  @Test("Of two segments, the one without bytes is removed, and the last one stays")
  func curtailUnconfirmed() throws {
    var plan = Self.plan(10_000, minimum: 100, count: 3)
    let first = try plan.handOut(now: 0)
    let second = try plan.handOut(now: 0)
    let removed = plan.curtail(now: 1)
    let next = plan.curtail(now: 1)
    #expect(removed == second.id && next == nil)
    #expect(plan[first.id] == first && plan[second.id] == nil)
    #expect(plan.next(now: 1)?.range == second.range)
  }

  @Test("A stream continues into bytes that are unassigned or have no response yet")
  func takeover() throws {
    var plan = Self.plan(60, count: 3)
    let stream = plan.addStream(at: 0, now: 0)
    let second = try plan.handOut(now: 0)
    let third = try plan.handOut(now: 0)
    plan.receive(20, for: stream.id)
    plan.expectConfirmed(third.id)
    #expect(second.range == 20..<33 && plan.room(for: stream.id) == 13)
    let isNeeded = plan.confirm(second.id)
    #expect(plan[second.id] == nil && !isNeeded)
    plan.receive(13, for: stream.id)
    // The bytes that follow are being received by a segment with a response.
    #expect(plan.room(for: stream.id) == 0)
    #expect(plan.isDone(stream.id))
  }

  @Test("A refusal leaves one connection, a failure takes one away")
  func capacity() throws {
    var plan = Self.plan(1_000, count: 4)
    let first = try plan.handOut(now: 0)
    plan.end(first.id, .failed)
    #expect(plan.capacity == 3)
    let again = try plan.handOut(now: 0)
    #expect(again.range == first.range)
    plan.end(again.id, .refused)
    #expect(plan.capacity == 1)
    let last = try plan.handOut(now: 0)
    plan.end(last.id, .failed)
    #expect(plan.capacity == 1)
    _ = try plan.handOut(now: 0)
    #expect(plan.next(now: 0) == nil)
  }

  @Test("For any events, each byte is accepted once and none is missing", arguments: 0..<400)
  func randomRun(seed: Int) {
    var run = PlanRun(seed: UInt64(seed))
    run.play()
    #expect(run.faults.isEmpty, "\(run.faults.prefix(3)) with seed \(seed)")
  }

  @Test("Small files are divided correctly in every way", arguments: 0...24)
  func exhaustive(total: Int64) {
    for minimum in 1...5 as ClosedRange<Int64> {
      for count in 1...4 {
        for start in 0...total {
          var run = PlanRun(
            total: total, minimum: minimum, count: count, start: start, seed: UInt64(count))
          run.play()
          #expect(run.faults.isEmpty, "\(run.faults.prefix(3)): \(total), \(minimum), \(count)")
        }
      }
    }
  }
}

extension SegmentPlan {
  /// Expects that a segment is handed out.
  fileprivate mutating func handOut(
    now: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Segment {
    let segment = next(now: now)
    return try #require(segment, sourceLocation: sourceLocation)
  }

  /// Expects that the response for a segment is needed.
  fileprivate mutating func expectConfirmed(
    _ id: SegmentID, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isNeeded = confirm(id)
    #expect(isNeeded, sourceLocation: sourceLocation)
  }
}

/// A client that follows a plan, with connections that fail and restarts of the program.
private struct PlanRun {
  private var random: SeededGenerator
  private let total: Int64
  private let limits: SegmentPlan.Limits
  private var plan: SegmentPlan
  private var writes: [Int]
  private var isStreaming = true
  private(set) var faults: [String] = []

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let total = Int64.random(in: 0...3_000, using: &random)
    self.init(
      total: total, minimum: .random(in: 1...200, using: &random),
      count: .random(in: 1...9, using: &random),
      start: .random(in: 0...total, using: &random), seed: seed)
  }

  init(total: Int64, minimum: Int64, count: Int, start: Int64, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    self.total = total
    limits = SegmentPlan.Limits(minimumBytes: minimum, maximumCount: count)
    writes = Array(repeating: 0, count: Int(total))
    let received = ByteRangeSet([0..<start])
    plan = SegmentPlan(total: total, received: received, limits: limits)
    for index in 0..<Int(start) { writes[index] = 1 }
    _ = plan.addStream(at: start, now: 0)
  }

  mutating func play() {
    var now = 0.0
    var steps = 0
    while !plan.isComplete, faults.isEmpty {
      steps += 1
      if steps > 100_000 { return faults.append("does not end") }
      now += Double.random(in: 0...1, using: &random)
      step(now)
      if plan.active.count > max(1, limits.maximumCount) { faults.append("too many connections") }
      let active = plan.active
      let remaining = active.map { $0.position..<max($0.position, $0.position + $0.remaining) }
      for (index, range) in remaining.enumerated() {
        let others = remaining.indices.dropFirst(index + 1).filter {
          remaining[$0].overlaps(range)
        }
        // Only a segment without a response has a duplicate.
        let areDuplicates = others.allSatisfy {
          remaining[$0] == range && !active[$0].isConfirmed && !active[index].isConfirmed
        }
        if others.count > 1 || !areDuplicates { faults.append("two segments overlap") }
        if plan.received.ranges.contains(where: { $0.overlaps(range) }) {
          faults.append("a received byte is assigned")
        }
      }
      if plan.active.isEmpty, !plan.isComplete, plan.next(now: now) == nil {
        faults.append("a gap is not handed out")
      }
    }
    if !writes.allSatisfy({ $0 == 1 }) { faults.append("a byte was written twice or never") }
    if plan.received.ranges.count > 1 { faults.append("gaps in a complete file") }
  }

  private mutating func step(_ now: Double) {
    let active = plan.active
    guard let segment = active.randomElement(using: &random) else {
      _ = plan.next(now: now)
      return
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<25: _ = plan.next(now: now)
    case 25..<35: _ = plan.confirm(segment.id)
    case 35..<40 where !segment.isConfirmed && !segment.range.isEmpty:
      let count = Int64.random(in: 1...Int64(segment.range.count), using: &random)
      _ = plan.confirm(segment.id, upTo: segment.start + count)
    case 35..<40: return
    case 40..<90:
      guard segment.isConfirmed else { return }
      let room = plan.room(for: segment.id)
      guard room > 0, let position = plan[segment.id]?.position else { return plan.end(segment.id) }
      let count = Int64.random(in: 1...room, using: &random)
      for index in position..<position + count { writes[Int(index)] += 1 }
      plan.receive(count, for: segment.id)
    case 90..<95: plan.end(segment.id, Bool.random(using: &random) ? .failed : .refused)
    case 95: plan.end(segment.id)
    case 96: _ = plan.curtail(now: now)
    default:
      // The program ends, and another run continues with the list of received ranges.
      plan = SegmentPlan(total: total, received: plan.received, limits: limits)
      let start = plan.received.prefixEnd
      let end = Int64.random(in: start...total, using: &random)
      if Bool.random(using: &random) {
        _ = plan.addStream(at: start, of: Bool.random(using: &random) ? start..<end : nil, now: now)
      }
    }
  }
}
