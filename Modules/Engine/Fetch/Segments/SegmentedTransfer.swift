import Hashing
import Models
import ProgressTree
import Synchronization
import SystemCalls
import Transport

/// Downloads one large file over several connections: performs the decisions of `SegmentSession`.
///
/// The first response is a stream from its position to the end of the file. As soon as the engine has granted
/// a further connection, the stream is limited to its first piece, and the other pieces are requested with
/// `Range` and `If-Range`. Each connection writes its bytes at their offsets of the partial file, on the
/// transport's threads (`SegmentedTransfer+Receiving.swift`).
///
/// Bytes are written under the lock, so that the file always agrees with the plan; the file system serializes
/// the writes to one file anyway. The lock is never held while the transport or the owner is called.
final class SegmentedTransfer: Cancellable {
  typealias SegmentID = SegmentPlan.SegmentID

  struct State: Sendable {
    var session = SegmentSession()
    /// The request of the stream.
    var stream: (id: SegmentID?, work: (any Cancellable)?) = (nil, nil)
    /// The running requests of the other segments. A request that was just begun is still missing.
    var works: [SegmentID: any Cancellable] = [:]
    var hasStreamEnded = false
    /// The number of further connections that were requested last.
    var demand = 0
    /// The receiver of the end; nil until the stream has ended.
    var whenEnded: (@Sendable (End) -> Void)?

    // Set when the segments begin.
    var file: SegmentedFile?
    var hasher: FrontierHasher?
    var requests: SegmentRequests?

    /// Returns what cancels these requests, as far as it is known already.
    func works(of ids: some Sequence<SegmentID>) -> [any Cancellable] {
      ids.compactMap { $0 == stream.id ? stream.work : works[$0] }
    }
  }

  let configuration: Configuration
  let state = Mutex(State())

  init(_ configuration: Configuration) { self.configuration = configuration }

  static var now: Double { Double(Machine.monotonicNanoseconds) / 1e9 }

  // MARK: - The stream and the end

  /// Sets what cancels the stream, which may have ended before this call.
  func attachStream(_ work: any Cancellable) {
    let isUnwanted = state.withLock { state in
      // The work refers to this transfer: after the stream has ended, nothing would break the cycle.
      guard !state.hasStreamEnded else { return false }
      state.stream.work = work
      return state.session.isAborted
    }
    if isUnwanted { work.cancel() }
  }

  /// Handles the end of the first request.
  /// - Parameter report: Receives the end of the transfer, after all requests have ended.
  /// - Returns: false if the segments have not begun, so that the caller must handle the end.
  func streamEnded(
    _ result: Result<TransportResponse, TransportError>,
    whenEnded report: @escaping @Sendable (End) -> Void
  ) -> Bool {
    let (stream, released) = state.withLock { state in
      state.hasStreamEnded = true
      state.stream.work = nil
      guard state.stream.id == nil else {
        state.whenEnded = report
        return (state.stream.id, 0)
      }
      return (nil, state.session.endWithoutSegments())
    }
    guard let stream else {
      releaseConnections(released)
      return false
    }
    segmentEnded(stream, Self.requestEnd(.accepted, result))
    return true
  }

  func cancel() {
    let works = state.withLock { state in
      state.session.cancel()
      return state.works(of: state.session.running) + [state.stream.work].compactMap { $0 }
    }
    for work in works { work.cancel() }
  }

  // MARK: - Connections granted by the engine

  /// Requests the connections from the engine, which grants them by `addConnection`.
  /// - Parameter url: The URL that has answered the first request, to whose host the connections will lead.
  func requestConnections(to url: HTTPURL) {
    configuration.recordAnswer(url)
    demand(configuration.limits.maximumCount - 1)
  }

  private func demand(_ count: Int) {
    let isNew = state.withLock { state in
      defer { state.demand = max(0, count) }
      return state.demand != max(0, count)
    }
    if isNew { configuration.owner.segmentsWanted(max(0, count), of: configuration.run) }
  }

  /// Returns connections to the engine that this transfer has no use for.
  private func refuseConnections(_ count: Int) {
    for _ in 0..<count { configuration.owner.segmentRefused(of: configuration.run) }
  }

  /// Ends the use of further connections, and returns those that were granted.
  private func releaseConnections(_ count: Int) {
    demand(0)
    refuseConnections(count)
  }

  /// Adds a connection. Called on any thread.
  func addConnection() {
    let (isUsed, hasBegun) = state.withLock { state in
      (state.session.grant(), state.session.plan != nil)
    }
    if !isUsed { return refuseConnections(1) }
    if hasBegun { startConnections() }
  }

  /// Takes a further connection back, which ends soon. Called on any thread.
  func withdrawConnection() {
    let (isUnused, work) = state.withLock { state in
      let result = state.session.withdraw(now: Self.now)
      return (result.isUnused, result.unwanted.flatMap { state.works[$0] })
    }
    work?.cancel()
    if isUnused { configuration.owner.segmentEnded(nil, of: configuration.run) }
  }

  /// Begins no request for some seconds, unless a connection is granted. Called on any thread.
  func hold(for seconds: Double) {
    state.withLock { $0.session.hold(until: Self.now + seconds) }
  }

  /// Whether the segments should begin.
  var isGranted: Bool { state.withLock { $0.session.isGranted } }

  // MARK: - Requests

  /// Reports the number of running requests, each of which has a connection. Without segments there is one.
  private func countConnections(_ state: State) {
    configuration.counter.set(connections: max(1, state.session.running.count))
  }

  /// Begins the segments; called on the thread that receives the stream. The stream continues at the end of
  /// the prefix of `file`.
  /// - Parameter head: The head of the stream's response.
  func begin(
    _ file: SegmentedFile, _ hasher: FrontierHasher, _ head: ResponseHead
  ) throws(SinkError) {
    try state.withLock { (state) throws(SinkError) in
      let plan = SegmentPlan(
        total: file.version.total, received: file.journal.received, limits: configuration.limits)
      state.stream.id = state.session.begin(
        plan, sent: SegmentVersion.sentRange(head), now: Self.now)
      state.file = file
      state.hasher = hasher
      state.requests = SegmentRequests(following: configuration.request, head)
      do throws(SystemError) {
        // The list must be in the file before any byte beyond the prefix.
        try state.file?.writeJournal()
      } catch {
        state.session.failDisk(DownloadFailure(error))
        throw SinkError(error)
      }
    }
    // From now on the length of the file proves nothing, which the row must say in case that the list is lost.
    reportPartial()
    startConnections()
  }

  /// Starts requests until all granted connections are in use, and returns the grants that are not needed.
  private func startConnections() {
    let (new, surplus, isHeld) = state.withLock { state in
      let now = Self.now
      let (segments, surplus) = state.session.handOut(now: now)
      countConnections(state)
      return (segments, surplus, state.session.isHeld(at: now))
    }
    if isHeld {
      // The connections are still wanted, and are granted again after the backoff.
      for _ in 0..<surplus { configuration.owner.segmentEnded(nil, of: configuration.run) }
    } else if surplus > 0 {
      releaseConnections(surplus)
    }
    for segment in new { request(segment) }
  }

  private func request(_ segment: SegmentPlan.Segment) {
    let (requests, version) = state.withLock { ($0.requests, $0.file?.version) }
    guard let requests, let version else { return }
    var request = requests.request(for: segment.range, of: version)
    let deadline = configuration.deadline
    guard deadline.limit(&request, at: Machine.monotonicNanoseconds) else {
      return segmentEnded(segment.id, .failed(deadline.failure))
    }
    let sink = SegmentSink(self, segment, of: version)
    let work = configuration.transport.begin(request, into: sink) { [self] result in
      segmentEnded(segment.id, Self.requestEnd(sink.verdict, result))
    }
    let isUnwanted = state.withLock { state in
      guard state.session.running.contains(segment.id) else { return false }
      state.works[segment.id] = work
      return state.session.isUnwanted(segment.id)
    }
    if isUnwanted { work.cancel() }
  }

  // MARK: - Ends of requests

  private static func requestEnd(
    _ verdict: SegmentVersion.Verdict?, _ result: Result<TransportResponse, TransportError>
  ) -> SegmentSession.RequestEnd {
    switch (verdict, result) {
    case (.changed?, _): .changed
    case (.refused?, _): .refused
    case (.failed(let failure)?, _): .failed(failure)
    // A sink that accepts no more bytes, although the disk has not failed, belongs to a cancelled transfer.
    case (_, .failure(let error)) where error.sinkError != nil: .failed(.cancelled)
    case (_, .failure(let error)): .failed(DownloadFailure(error))
    case (_, .success): .short
    }
  }

  private func segmentEnded(_ id: SegmentID, _ end: SegmentSession.RequestEnd) {
    let (after, unwanted) = state.withLock { state in
      state.works[id] = nil
      let after = state.session.endRequest(id, end, now: Self.now)
      countConnections(state)
      return (after, state.works(of: after.unwanted))
    }
    for work in unwanted { work.cancel() }
    if let next = after.next { return request(next) }
    if after.isLast { return finish() }
    if let demand = after.demand { self.demand(demand) }
    configuration.owner.segmentEnded(after.problem, of: configuration.run)
  }

  /// Reports the end, after all requests have ended.
  private func finish() {
    let (ending, released, report, hasher, file) = state.withLock { state in
      let report = state.whenEnded
      state.whenEnded = nil
      let ending = conclude(&state)
      return (ending, state.session.releaseGrants(), report, state.hasher, state.file?.file)
    }
    releaseConnections(released)
    guard let report else { return }
    guard let hasher, let file else {
      let failure = DownloadFailure.protocolViolation("the segments have ended before they began")
      return report(.incomplete(.failed(failure)))
    }
    let total = state.withLock { $0.file?.version.total ?? 0 }
    guard ending == .complete else {
      hasher.abandon()
      file.close()
      return report(.incomplete(ending))
    }
    hasher.finish(total) { result in
      file.close()
      switch result {
      case .success(let hasher): report(.complete(hasher.finalize()))
      case .failure(let error): report(.incomplete(.failed(DownloadFailure(error))))
      }
    }
  }

  /// Brings the file to its final state and returns the end.
  private func conclude(_ state: inout State) -> SegmentSession.Ending {
    let ending = state.session.ending
    do throws(SystemError) {
      if ending == .complete {
        try state.file?.complete()
      } else {
        try state.file?.writeJournal()
      }
      return ending
    } catch {
      return .failed(DownloadFailure(error))
    }
  }
}
