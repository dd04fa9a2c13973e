import TestSupport
import Testing
import Transport

@testable import Engine

@Suite("The connections of one file") struct SegmentSessionTests {
  private static func session(
    _ total: Int64 = 10_000, connections: Int = 4, granted: Int
  ) -> (session: SegmentSession, stream: SegmentPlan.SegmentID) {
    var session = SegmentSession()
    for _ in 0..<granted { _ = session.grant() }
    let limits = SegmentPlan.Limits(minimumBytes: 100, maximumCount: connections)
    let stream = session.begin(SegmentPlan(total: total, limits: limits), now: 0)
    return (session, stream)
  }

  private static let lost = SegmentSession.RequestEnd.failed(
    .transport(code: .connectionLost, detail: "lost", isRetryable: true))

  @Test("Granted connections are used, and those without work are returned")
  func handOut() {
    var (session, _) = Self.session(granted: 2)
    let some = session.handOut(now: 0)
    #expect(some.segments.count == 2 && some.surplus == 0)
    var (small, _) = Self.session(20, granted: 3)
    let none = small.handOut(now: 0)
    #expect(none.segments.isEmpty && none.surplus == 3 && small.granted == 0)
  }

  @Test("A grant after the end is returned, and one before the segments is withdrawn at once")
  func unused() {
    var session = SegmentSession()
    let isUsed = session.grant()
    #expect(isUsed && session.isGranted)
    let withdrawal = session.withdraw(now: 0)
    #expect(withdrawal.isUnused && withdrawal.unwanted == nil)
    #expect(!session.isGranted)
    _ = session.grant()
    let released = session.endWithoutSegments()
    let isUsedAfterEnd = session.grant()
    #expect(released == 1 && !isUsedAfterEnd)
  }

  @Test(
    "The last request decides how an incomplete transfer ends",
    arguments: [
      (.changed, .mustRestart), (.refused, .mustContinueAlone), (.short, .mustContinueAlone),
      (
        .failed(.status(403, retryAfter: nil)), .mustContinueAlone
      ),
      (
        .failed(.status(503, retryAfter: nil)), .failed(.status(503, retryAfter: nil))
      ),
    ] as [(SegmentSession.RequestEnd, SegmentSession.Ending)])
  func endings(end: SegmentSession.RequestEnd, ending: SegmentSession.Ending) {
    var (session, stream) = Self.session(granted: 0)
    let after = session.endRequest(stream, end, now: 1)
    #expect(after.isLast && session.ending == ending)
  }

  @Test(
    "A response that ends early, but after bytes that are worth a request, is a failure like another one"
  )
  func short() {
    var (session, stream) = Self.session(granted: 0)
    while let place = session.position(for: stream, upTo: 5_000), place.offset < 5_000 {
      session.receive(place.count, for: stream)
    }
    let after = session.endRequest(stream, .short, now: 1)
    #expect(after.isLast && after.problem?.isRetryable == true)
    guard case .failed(.transport(.truncated, _, true)) = session.ending else {
      return #expect(Bool(false), "\(session.ending)")
    }
  }

  @Test("During a backoff, what runs ends, and nothing follows it")
  func hold() throws {
    var (session, stream) = Self.session(granted: 2)
    let segments = session.handOut(now: 0).segments
    session.hold(until: 10)
    let isNeeded = session.confirm(segments[0].id)
    #expect(isNeeded)
    session.receive(segments[0].range.count, for: segments[0].id)
    let first = session.endRequest(segments[0].id, Self.lost, now: 2)
    #expect(first.problem == nil && first.next == nil && !first.isLast && first.demand == nil)
    #expect(session.granted == 1)
    // A connection that was granted in the meantime ends the backoff.
    let isUsed = session.grant()
    let more = session.handOut(now: 3).segments
    #expect(isUsed && more.count == 1)
    session.hold(until: 20)
    for segment in [segments[1], try #require(more.first)] {
      _ = session.confirm(segment.id)
      session.receive(segment.range.count, for: segment.id)
      let after = session.endRequest(segment.id, Self.lost, now: 4)
      #expect(after.next == nil)
    }
    while let place = session.position(for: stream, upTo: 50), place.offset < 1_000 {
      session.receive(place.count, for: stream)
    }
    let end = try #require(session.plan?[stream]).remaining
    session.receive(Int(end), for: stream)
    let last = session.endRequest(stream, Self.lost, now: 5)
    #expect(last.isLast && session.ending == .mustWait)
    session.cancel()
    #expect(session.ending == .failed(.cancelled))
  }

  @Test("After a backoff, the next segment follows")
  func afterHold() {
    var (session, _) = Self.session(granted: 1)
    let segment = session.handOut(now: 0).segments[0]
    session.hold(until: 10)
    _ = session.confirm(segment.id)
    session.receive(segment.range.count, for: segment.id)
    let after = session.endRequest(segment.id, Self.lost, now: 10)
    #expect(after.next != nil)
  }

  @Test("A failed disk takes precedence over every other end, also over a complete file")
  func disk() {
    var (session, stream) = Self.session(100, granted: 0)
    session.receive(100, for: stream)
    session.failDisk(.disk("full", isFull: true))
    session.cancel()
    let after = session.endRequest(stream, Self.lost, now: 1)
    #expect(after.isLast)
    #expect(session.ending == .failed(.disk("full", isFull: true)))
  }

  @Test("A changed file ends all other requests")
  func changed() {
    var (session, stream) = Self.session(granted: 2)
    let segments = session.handOut(now: 0).segments
    let after = session.endRequest(segments[0].id, .changed, now: 1)
    #expect(after.unwanted == [stream, segments[1].id] && !after.isLast && after.next == nil)
    let isNeeded = session.confirm(segments[1].id)
    let position = session.position(for: stream, upTo: 10)
    let more = session.handOut(now: 1).segments
    #expect(!isNeeded && position == nil && more.isEmpty)
  }

  @Test(
    "At random, every granted connection is returned once, and all bytes are received",
    arguments: 0..<300)
  func randomRun(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let connections = Int.random(in: 1...6, using: &random)
    var (session, stream) = Self.session(5_000, connections: connections, granted: 0)
    var (granted, isOver, now) = (0, false, 0.0)
    _ = stream
    for _ in 0..<20_000 where !isOver {
      now += 0.05
      let segment = session.running.sorted { session.order($0) < session.order($1) }
        .randomElement(using: &random)
      guard let id = segment else { break }
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<2 where granted < connections - 1:
        if session.grant() { granted += 1 }
        granted -= session.handOut(now: now).surplus
      case 2:
        if session.withdraw(now: now).isUnused { granted -= 1 }
      case 3..<5: _ = session.confirm(id)
      case 5..<17:
        guard session.confirm(id), let place = session.position(for: id, upTo: 70) else { continue }
        session.receive(place.count, for: id)
      default:
        let isLost = Int.random(in: 0..<8, using: &random) == 0
        let isDone = session.plan?[id].map { $0.remaining <= 0 } ?? true
        guard isDone || isLost else { continue }
        let after = session.endRequest(id, Self.lost, now: now)
        isOver = after.isLast
        if !isOver, after.next == nil { granted -= 1 }
      }
      #expect(session.granted == granted, "seed \(seed)")
      #expect(session.withdrawn <= session.granted)
      #expect(isOver || session.running.count - 1 <= session.granted, "seed \(seed)")
    }
    #expect(isOver, "seed \(seed)")
    let released = session.releaseGrants()
    #expect(released == granted)
    if session.plan?.isComplete ?? false {
      #expect(session.ending == .complete)
    } else {
      #expect(session.ending != .complete)
    }
  }
}

extension SegmentSession {
  /// A number by which a test can order segments, whose identifiers have none.
  fileprivate func order(_ id: SegmentID) -> Int64 { plan?[id]?.start ?? -1 }
}
