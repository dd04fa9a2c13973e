import Models
import Transport

/// Decides how many connections one large file uses, what each of them requests next, and how the transfer
/// ends. A pure state machine: no I/O, no clock, no lock.
///
/// The transfer itself has one connection. Further ones are *granted* by the engine, which may *withdraw* each
/// of them; a withdrawn connection ends soon, and is then returned to the engine. Every granted connection is
/// returned exactly once, unless the end of the transfer releases it.
struct SegmentSession: Sendable {
  typealias SegmentID = SegmentPlan.SegmentID

  /// How a request ended. The end of a request whose segment is complete, or no longer needed, says nothing.
  enum RequestEnd: Sendable, Equatable {
    /// The file on the server is another version by now.
    case changed
    /// The server did not answer with the range.
    case refused
    /// The message of the server was complete before the end of the range.
    case short
    case failed(DownloadFailure)
  }

  /// How the whole transfer ended, after the last of its requests.
  enum Ending: Sendable, Equatable {
    case complete
    /// The received bytes belong to an old version of the file.
    case mustRestart
    /// The received prefix is to be continued by one plain request, because the server does not serve the
    /// other ranges.
    case mustContinueAlone
    /// The missing ranges are to be requested after the backoff of the host; nothing has failed.
    case mustWait
    case failed(DownloadFailure)
  }

  /// The actions that are due after the end of a request.
  struct Continuation: Sendable, Equatable {
    /// The reason why the segment is incomplete; nil if it is complete or not needed.
    var problem: DownloadFailure?
    /// The segment that the connection receives next; nil if the connection is no longer used.
    var next: SegmentPlan.Segment?
    /// Whether no request is left, so that the transfer has ended.
    var isLast = false
    /// The requests that must end too, because the transfer is aborted.
    var unwanted: Set<SegmentID> = []
    /// The number of further connections that are of use from now on; nil if unchanged.
    var demand: Int?
  }

  /// The division of the file; nil until the segments begin.
  private(set) var plan: SegmentPlan?
  /// The segments whose requests have not ended, the first response included.
  private(set) var running: Set<SegmentID> = []
  /// The number of further connections that were granted and not returned.
  private(set) var granted = 0
  /// The number of those that are to be returned.
  private(set) var withdrawn = 0
  private(set) var isCancelled = false
  /// Whether the transfer has ended, or no segments will begin.
  private(set) var hasEnded = false
  private var hasChanged = false
  private var diskFailure: DownloadFailure?
  /// The reason why the last incomplete segment ended, and whether the server refused it.
  private var failure: DownloadFailure?
  private var isRefused = false
  /// The time until which no request begins, because the host is backing off.
  private var heldUntil = -Double.infinity
  /// Whether the last request was not followed by another one for this reason.
  private var hasEndedInBackoff = false

  /// Whether all requests are to end.
  var isAborted: Bool { hasChanged || isCancelled || diskFailure != nil }

  /// Whether the segments should begin.
  var isGranted: Bool { granted > withdrawn && !isAborted && !hasEnded }

  private var allowed: Int { granted - withdrawn }

  // MARK: - Connections

  /// Adds a further connection.
  /// - Returns: false if it is of no use and must be returned.
  mutating func grant() -> Bool {
    guard !hasEnded else { return false }
    granted += 1
    // No connection is granted during a backoff, so that a backoff that was known has ended.
    heldUntil = -.infinity
    return true
  }

  /// Lets no request begin until `time`. Running ones continue, and their connections are returned when they
  /// end.
  mutating func hold(until time: Double) { heldUntil = max(heldUntil, time) }

  func isHeld(at now: Double) -> Bool { now < heldUntil }

  /// Withdraws a further connection.
  /// - Returns: Whether the connection is unused and must be returned at once, and the request that is to be
  ///   cancelled. A request that is receiving ends by itself, when it has the bytes of about a second.
  mutating func withdraw(now: Double) -> (isUnused: Bool, unwanted: SegmentID?) {
    guard !hasEnded, withdrawn < granted else { return (false, nil) }
    guard plan != nil, running.count - 1 >= allowed else {
      granted -= 1
      return (true, nil)
    }
    withdrawn += 1
    return (false, plan?.curtail(now: now))
  }

  /// Begins the segments beside the first response, which continues at the end of the received prefix.
  /// - Parameter sent: The range of the first response; nil if it is the whole file.
  mutating func begin(
    _ new: SegmentPlan, sent: Range<Int64>? = nil, now: Double
  ) -> SegmentID {
    var plan = new
    let stream = plan.addStream(at: plan.received.prefixEnd, of: sent, now: now)
    self.plan = plan
    running.insert(stream.id)
    return stream.id
  }

  /// Hands out segments until all granted connections are in use.
  /// - Returns: The segments to request, and the number of connections that are not needed and must be
  ///   returned.
  mutating func handOut(now: Double) -> (segments: [SegmentPlan.Segment], surplus: Int) {
    var segments: [SegmentPlan.Segment] = []
    guard !running.isEmpty, !isAborted else { return ([], 0) }
    while running.count - 1 < allowed {
      guard !isHeld(at: now), let segment = plan?.next(now: now) else {
        let surplus = allowed - (running.count - 1)
        granted -= surplus
        return (segments, surplus)
      }
      running.insert(segment.id)
      segments.append(segment)
    }
    return (segments, 0)
  }

  /// Whether the request of a segment is under way and no longer of use.
  func isUnwanted(_ id: SegmentID) -> Bool {
    running.contains(id) && (isAborted || plan?[id] == nil)
  }

  /// The requests whose segments the first response has taken over, that were withdrawn, or whose duplicates
  /// were answered first.
  var removed: [SegmentID] { running.filter { plan?[$0] == nil } }

  // MARK: - Bytes

  /// Records that a valid response has begun.
  /// - Parameter end: The end of the response; nil if it is that of the segment.
  /// - Returns: false if the segment is not needed any more.
  mutating func confirm(_ id: SegmentID, upTo end: Int64? = nil) -> Bool {
    !isAborted && plan?.confirm(id, upTo: end) ?? false
  }

  /// Returns where to write the next bytes of a segment, and how many of `count`; nil if it accepts none.
  mutating func position(for id: SegmentID, upTo count: Int) -> (offset: Int64, count: Int)? {
    guard !isAborted, let room = plan?.room(for: id), room > 0, let segment = plan?[id] else {
      return nil
    }
    return (segment.position, Int(min(room, Int64(count))))
  }

  /// Records that the next bytes of a segment are in the file.
  mutating func receive(_ count: Int, for id: SegmentID) { plan?.receive(Int64(count), for: id) }

  // MARK: - Ends

  /// Aborts the transfer, because the file cannot be written.
  mutating func failDisk(_ failure: DownloadFailure) { diskFailure = diskFailure ?? failure }

  /// Aborts the transfer.
  mutating func cancel() { isCancelled = true }

  /// Records that the first response has ended without segments.
  /// - Returns: The number of connections that must be returned.
  mutating func endWithoutSegments() -> Int {
    hasEnded = true
    return releaseGrants()
  }

  /// Returns the number of connections that must be returned, because the transfer has ended.
  mutating func releaseGrants() -> Int {
    defer { (granted, withdrawn) = (0, 0) }
    return granted
  }

  /// Records the end of a request and decides how to continue.
  mutating func endRequest(_ id: SegmentID, _ end: RequestEnd, now: Double) -> Continuation {
    var after = Continuation()
    guard running.remove(id) != nil, var plan else { return after }
    defer { self.plan = plan }
    let capacity = plan.capacity
    after.problem = problem(of: id, plan, end)
    if let problem = after.problem {
      failure = problem
      let gained = plan[id].map { $0.position &- $0.start } ?? 0
      // The rest of a range of which the server repeatedly sends next to nothing would be requested without end.
      let isUseless = end == .short && gained < RetryPolicy.minimumProgressBytes
      // A status that no repetition changes may concern ranges only, or the target of an old redirect.
      isRefused = end == .refused || isUseless || !problem.isRetryable
      plan.end(id, isRefused && !isUseless ? .refused : .failed)
    } else {
      plan.end(id)
    }
    if isAborted { after.unwanted = running }
    if after.problem == nil, !isAborted, running.isEmpty || running.count <= allowed {
      if isHeld(at: now) {
        hasEndedInBackoff = running.isEmpty
      } else {
        after.next = plan.next(now: now)
        // If no byte is left to hand out, no grant must follow the returned connection.
        if after.next == nil { after.demand = 0 }
      }
    }
    if let next = after.next {
      running.insert(next.id)
      return after
    }
    after.isLast = running.isEmpty
    hasEnded = after.isLast
    if after.isLast { return after }
    granted = max(0, granted - 1)
    withdrawn = max(0, min(withdrawn - 1, granted))
    if plan.capacity != capacity { after.demand = plan.capacity - 1 }
    return after
  }

  /// Returns the reason why a segment is incomplete; nil if it is complete or no longer needed.
  private mutating func problem(
    of id: SegmentID, _ plan: SegmentPlan, _ end: RequestEnd
  ) -> DownloadFailure? {
    guard plan[id] != nil, !plan.isDone(id), !hasChanged else { return nil }
    switch end {
    case .changed:
      hasChanged = true
      return nil
    case .refused:
      return .protocolViolation("the server ignored the range of a request")
    case .short:
      return .transport(
        code: .truncated, detail: "the response ended before the end of its range",
        isRetryable: true)
    case .failed(let failure): return failure
    }
  }

  /// How the transfer ended; meaningful after the last request.
  var ending: Ending {
    if let diskFailure { return .failed(diskFailure) }
    if hasChanged { return .mustRestart }
    if plan?.isComplete ?? false { return .complete }
    if isCancelled { return .failed(.cancelled) }
    if hasEndedInBackoff { return .mustWait }
    if isRefused { return .mustContinueAlone }
    return .failed(failure ?? .cancelled)
  }
}
