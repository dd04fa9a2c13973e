/// Divides the missing bytes of one file among several connections. A pure state machine: no I/O, no clock.
///
/// The file is handed out in pieces, in ascending order, so that the received prefix grows steadily: it can be
/// hashed while the rest arrives, and is all that is needed to continue if the list of ranges is lost. A piece
/// is one connection's share of the bytes that are not handed out yet (guided self-scheduling): the first pieces
/// are large, so that few requests are needed, and the last ones small, so that all connections end at about the
/// same time.
/// When no unassigned byte is left, the second half of the segment that would end last is handed out, and then
/// a segment without a response a second time: one connection without an answer must not delay the whole file.
///
/// Invariants:
/// - The remaining ranges of two active segments with a response do not overlap, and contain no received byte.
///   Therefore no byte is accepted twice.
/// - A segment without a response has at most one duplicate, of the same range. The first response removes the
///   other segment.
/// - Every missing byte is either in the remaining range of one active segment or unassigned, and unassigned
///   bytes are handed out before segments are split. Therefore no gap remains.
/// - `capacity` never rises, and at least one connection is always allowed.
struct SegmentPlan: Sendable, Equatable {
  struct Limits: Sendable, Equatable {
    /// The smallest piece that is worth a request of its own, in bytes.
    var minimumBytes: Int64
    /// The largest number of simultaneous connections.
    var maximumCount: Int

    init(minimumBytes: Int64, maximumCount: Int) {
      self.minimumBytes = max(1, minimumBytes)
      self.maximumCount = max(1, maximumCount)
    }

    /// The smallest half into which a segment is split near the end of the file, where a request for less than
    /// `minimumBytes` may still save time.
    var minimumSplitBytes: Int64 { max(1, min(minimumBytes / 8, 64 << 10)) }
  }

  struct SegmentID: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// A range of the file that one connection receives.
  struct Segment: Sendable, Equatable {
    let id: SegmentID
    /// The first byte that was requested.
    let start: Int64
    /// The next byte to be received.
    fileprivate(set) var position: Int64
    /// The end of the range; a split lowers it.
    fileprivate(set) var end: Int64
    /// The time of the request in seconds.
    let startedAt: Double
    /// Whether a response for this segment has begun.
    fileprivate(set) var isConfirmed: Bool
    /// Whether the response continues beyond `end`, to the end of the file.
    let isStream: Bool
    /// Whether the segment was shortened, because its connection is needed elsewhere.
    fileprivate(set) var isCurtailed = false

    /// The range of the request.
    var range: Range<Int64> { start..<max(start, end) }
    var remaining: Int64 { end &- position }

    /// Returns the seconds until the segment would end at its average rate so far.
    fileprivate func secondsLeft(at now: Double) -> Double {
      let received = Double(position &- start)
      guard received > 0 else { return .infinity }
      return Double(remaining) * max(now - startedAt, 0) / received
    }
  }

  /// The reason why a segment ended before its range was received.
  enum Interruption: Sendable {
    /// The server does not serve this range although it announced ranges; one connection is left.
    case refused
    /// The connection or the server failed; one connection fewer is used.
    case failed
  }

  /// The length of the file in bytes.
  let total: Int64
  let limits: Limits
  /// All bytes received, those of active segments included.
  private(set) var received: ByteRangeSet
  private(set) var active: [Segment] = []
  /// The number of connections that are allowed at most; falls with every interruption.
  private(set) var capacity: Int
  private var lastNumber = 0
  /// The largest piece, because the server sends less of a larger one; nil while it sends whole ranges.
  private var servedBytes: Int64?

  /// The largest piece: of an interrupted download, at most this many bytes per connection are not part of
  /// the prefix.
  private static let maximumPieceBytes: Int64 = 64 << 20
  /// The seconds until the end of a segment from which on a split saves more time than its request costs.
  private static let minimumSplitSeconds = 0.25
  /// The seconds for which a connection that is needed elsewhere still receives.
  private static let curtailedSeconds = 1.0
  /// The seconds without a response after which a segment is requested a second time, while other segments
  /// still receive.
  private static let patienceSeconds = 1.0

  /// - Parameters:
  ///   - total: The length of the file in bytes.
  ///   - received: The ranges that earlier attempts have received.
  init(total: Int64, received: ByteRangeSet = ByteRangeSet(), limits: Limits) {
    self.total = max(0, total)
    self.limits = limits
    self.received = received.prefix(upTo: self.total)
    capacity = limits.maximumCount
  }

  var isComplete: Bool { received.covers(total) }

  /// Returns an active segment.
  subscript(id: SegmentID) -> Segment? { active.first { $0.id == id } }

  /// Whether all bytes of an active segment were received.
  func isDone(_ id: SegmentID) -> Bool { self[id].map { $0.remaining <= 0 } ?? false }

  // MARK: - Handing out

  /// Adds the segment of a response that has begun at `position` and continues to the end of the file.
  /// - Parameter sent: The range of the response; nil if it is the whole file. One that ends earlier is no stream, and
  ///   the bytes behind it are handed out.
  mutating func addStream(
    at position: Int64, of sent: Range<Int64>? = nil, now: Double
  ) -> Segment {
    let assigned = assigned
    let gap = assigned.firstGap(from: position, upTo: total)
    if let sent, sent.upperBound < total {
      servedBytes = max(1, sent.upperBound &- sent.lowerBound)
      let end = gap.map { $0.lowerBound == position ? $0.upperBound : position } ?? position
      return add(
        position..<max(position, min(end, sent.upperBound)), now, isConfirmed: true)
    }
    let end =
      gap.map { $0.lowerBound == position ? pieceEnd(of: $0, assigned) : position } ?? position
    return add(position..<end, now, isStream: true, isConfirmed: true)
  }

  /// Hands out the next segment: an unassigned range, or the second half of the slowest segment.
  /// - Parameter now: The time in seconds, on any clock that does not go back.
  /// - Returns: nil if no more connections are allowed or no range is worth one.
  mutating func next(now: Double) -> Segment? {
    guard active.count < capacity else { return nil }
    let assigned = assigned
    if let gap = assigned.firstGap(upTo: total) {
      return add(gap.lowerBound..<pieceEnd(of: gap, assigned), now)
    }
    let candidates = active.indices.filter { mayBeSplit(active[$0], now) }
    let slowest = candidates.max {
      let (a, b) = (active[$0], active[$1])
      let (left, right) = (a.secondsLeft(at: now), b.secondsLeft(at: now))
      return left == right ? a.remaining < b.remaining : left < right
    }
    guard let slowest else { return duplicate(now) }
    let end = active[slowest].end
    let middle = end &- active[slowest].remaining / 2
    active[slowest].end = middle
    return add(middle..<end, now)
  }

  /// Hands out the range of the segment that has waited longest for its response. If no other segment
  /// receives, no later call is certain, so that there is no patience then.
  private mutating func duplicate(_ now: Double) -> Segment? {
    let isLastChance = !active.contains { $0.isConfirmed && $0.remaining > 0 }
    let waiting = active.filter { segment in
      !segment.isConfirmed && segment.remaining > 0
        && !active.contains { $0.start == segment.start && $0.id != segment.id }
        && (isLastChance || now - segment.startedAt >= Self.patienceSeconds)
    }
    guard let oldest = waiting.min(by: { $0.startedAt < $1.startedAt }) else { return nil }
    return add(oldest.range, now)
  }

  private func mayBeSplit(_ segment: Segment, _ now: Double) -> Bool {
    segment.isConfirmed && !segment.isCurtailed
      && segment.remaining >= 2 * limits.minimumSplitBytes
      && segment.secondsLeft(at: now) >= Self.minimumSplitSeconds
  }

  /// The received bytes and the remaining ranges of the active segments.
  private var assigned: ByteRangeSet {
    var result = received
    for segment in active where segment.remaining > 0 {
      result.insert(segment.position..<segment.end)
    }
    return result
  }

  /// Returns the end of the first piece of a gap. No remainder is smaller than the minimum.
  private func pieceEnd(of gap: Range<Int64>, _ assigned: ByteRangeSet) -> Int64 {
    let length = gap.upperBound &- gap.lowerBound
    let share = (total &- assigned.byteCount) / Int64(limits.maximumCount)
    let pieceBytes = max(limits.minimumBytes, min(share, Self.maximumPieceBytes))
    if let servedBytes, servedBytes < pieceBytes {
      return gap.lowerBound &+ min(length, servedBytes)
    }
    return length < pieceBytes &+ limits.minimumBytes
      ? gap.upperBound : gap.lowerBound &+ pieceBytes
  }

  private mutating func add(
    _ range: Range<Int64>, _ now: Double, isStream: Bool = false, isConfirmed: Bool = false
  ) -> Segment {
    lastNumber += 1
    let segment = Segment(
      id: SegmentID(number: lastNumber), start: range.lowerBound, position: range.lowerBound,
      end: range.upperBound, startedAt: now, isConfirmed: isConfirmed, isStream: isStream)
    active.append(segment)
    return segment
  }

  // MARK: - Receiving

  /// Records that a valid response for the segment has begun. The duplicate of the segment is then removed.
  /// - Parameter end: The end of the response, if it is before that of the segment. The bytes behind it are handed out
  ///   again, in pieces of the size that the server sends.
  /// - Returns: false if the segment is no longer active, so that the response is not needed.
  mutating func confirm(_ id: SegmentID, upTo end: Int64? = nil) -> Bool {
    guard let index = active.firstIndex(where: { $0.id == id }) else { return false }
    active[index].isConfirmed = true
    if let end, end < active[index].end {
      active[index].end = max(active[index].position, end)
      servedBytes = max(1, end &- active[index].start)
    } else if let served = servedBytes, active[index].end &- active[index].start >= served {
      // The server may send more, as after a single short response.
      servedBytes = min(2 &* served, Self.maximumPieceBytes)
    }
    let start = active[index].start
    active.removeAll { $0.id != id && $0.start == start && !$0.isConfirmed }
    return true
  }

  /// Returns the number of bytes that the segment accepts next; 0 if it is complete or not active.
  ///
  /// A stream that has reached the end of its range continues with the bytes that follow, if they are
  /// unassigned or belong to a segment without a response: the stream must not be given up for a request
  /// that the server may refuse. That segment is then removed.
  mutating func room(for id: SegmentID) -> Int64 {
    guard let index = active.firstIndex(where: { $0.id == id }) else { return 0 }
    let segment = active[index]
    guard segment.remaining <= 0, segment.isStream else { return max(0, segment.remaining) }
    if let other = active.first(where: { $0.start == segment.end && !$0.isConfirmed }) {
      active[index].end = other.end
      active.removeAll { $0.start == other.start && !$0.isConfirmed }
      return max(0, other.end &- segment.position)
    }
    let assigned = assigned
    guard let gap = assigned.firstGap(from: segment.end, upTo: total),
      gap.lowerBound == segment.end
    else { return 0 }
    active[index].end = pieceEnd(of: gap, assigned)
    return active[index].remaining
  }

  /// Records that the next `count` bytes of the segment were written; at most `room(for:)`.
  mutating func receive(_ count: Int64, for id: SegmentID) {
    guard count > 0, let index = active.firstIndex(where: { $0.id == id }) else { return }
    let start = active[index].position
    let end = min(start &+ count, active[index].end)
    guard end > start else { return }
    active[index].position = end
    received.insert(start..<end)
  }

  // MARK: - Ending

  /// Lets one connection end soon, because it is needed elsewhere: the last segment of the file that is not a
  /// stream. Its missing bytes are handed out again.
  /// - Returns: The segment if it was removed, because it has received nothing; its request is to be cancelled.
  mutating func curtail(now: Double) -> SegmentID? {
    let candidates = active.indices.filter { !active[$0].isStream && !active[$0].isCurtailed }
    guard active.count(where: { !$0.isCurtailed }) > 1,
      let index = candidates.max(by: { active[$0].start < active[$1].start })
    else { return nil }
    let segment = active[index]
    let count = segment.position &- segment.start
    guard segment.isConfirmed, count > 0 else { return active.remove(at: index).id }
    let perSecond = Double(count) / max(now - segment.startedAt, 0.1)
    let rest = max(limits.minimumSplitBytes, Int64(perSecond * Self.curtailedSeconds))
    active[index].end = min(segment.end, segment.position &+ rest)
    active[index].isCurtailed = true
    return nil
  }

  /// Ends a segment. Its missing bytes are handed out again.
  /// - Parameter interruption: The reason if the segment was not completed; nil if it was, or if the client
  ///   ended it.
  mutating func end(_ id: SegmentID, _ interruption: Interruption? = nil) {
    active.removeAll { $0.id == id }
    switch interruption {
    case nil: break
    case .refused: capacity = 1
    case .failed: capacity = max(1, capacity - 1)
    }
  }
}
