import Hashing
import LibraryAPI
import Models
import Persistence
import ProgressTree
import Synchronization
import SystemCalls
import Transport

/// Downloads one large file over several connections: performs the decisions of `SegmentPlan`.
///
/// The first response is a stream from its position to the end of the file. As soon as the engine has granted
/// a further connection, the stream is limited to its first piece, and the other pieces are requested with
/// `Range` and `If-Range`. Each connection writes its bytes at their offsets of the partial file, on the
/// transport's threads.
///
/// @unchecked Sendable: the lock guards all stored variables. Bytes are written under the lock, so that the
/// file always agrees with the plan; the file system serializes the writes to one file anyway.
final class SegmentedTransfer: Cancellable, @unchecked Sendable {
  let configuration: Configuration
  private let lock = Mutex<Void>(())

  /// The number of further connections that the engine allows.
  private var granted = 0
  /// Whether the engine asked for the connections back; each ends after its current segment.
  private var isWithdrawn = false
  private var isCancelled = false
  private var whenEnded: (@Sendable (End) -> Void)?

  // Set by `begin`.
  private var file: SegmentedFile?
  private var hasher: FrontierHasher?
  private var plan: SegmentPlan?
  private var stream: SegmentPlan.SegmentID?
  /// The running requests, by segment. The handle of a request is missing until `begin` has returned it.
  private var connections: [SegmentPlan.SegmentID: (any Cancellable)?] = [:]
  /// Whether the file on the server is another version by now.
  private var mustRestart = false
  /// The reason why the last incomplete segment ended, and whether the server ignored its range.
  private var failure: DownloadFailure?
  private var isRefused = false

  init(_ configuration: Configuration) { self.configuration = configuration }

  /// Sets the receiver of the end, which is called after all requests have ended, the stream included. Must be
  /// called before the first request begins.
  func whenEnded(_ report: @escaping @Sendable (End) -> Void) {
    lock.withLock { _ in whenEnded = report }
  }

  // MARK: - Connections granted by the engine

  /// Requests the connections from the engine, which grants them by `addConnection`.
  func requestConnections() { demand(configuration.limits.maximumCount - 1) }

  private func demand(_ count: Int) {
    configuration.owner.segmentsWanted(max(0, count), of: configuration.run)
  }

  /// Adds a connection. Called on any thread.
  func addConnection() {
    let hasBegun = lock.withLock { _ in
      granted += 1
      isWithdrawn = false
      return plan != nil
    }
    if hasBegun { startConnections() }
  }

  /// Takes the further connections back; each ends after its current segment. Called on any thread.
  func withdrawConnections() {
    let unused = lock.withLock { _ in
      isWithdrawn = true
      guard plan == nil else { return 0 }
      defer { granted = 0 }
      return granted
    }
    for _ in 0..<unused { configuration.owner.segmentEnded(nil, of: configuration.run) }
  }

  /// Whether the segments should begin.
  var isGranted: Bool { lock.withLock { _ in granted > 0 && !isWithdrawn && !isCancelled } }

  // MARK: - The beginning

  /// Begins the segments; called on the thread that receives the stream. The stream continues at the end of
  /// the prefix of `file`.
  func begin(_ file: SegmentedFile, _ hasher: FrontierHasher) throws(SinkError) {
    try lock.withLock { _ throws(SinkError) in
      let received = file.journal.received
      var plan = SegmentPlan(
        total: file.version.total, received: received, limits: configuration.limits)
      let segment = plan.addStream(at: received.prefixEnd, now: Self.now)
      self.plan = plan
      self.file = file
      self.hasher = hasher
      stream = segment.id
      connections[segment.id] = .some(nil)
      do throws(SystemError) {
        // The list must be in the file before any byte beyond the prefix.
        try self.file?.writeJournal()
      } catch {
        throw SinkError(error)
      }
    }
    startConnections()
  }

  private static var now: Double { Double(Machine.monotonicNanoseconds) / 1e9 }

  /// Starts requests until all granted connections are in use, and returns the grants that are not needed.
  private func startConnections() {
    var (new, surplus): ([SegmentPlan.Segment], Int) = ([], 0)
    lock.withLock { _ in
      guard !connections.isEmpty, !isCancelled, !mustRestart, !isWithdrawn else { return }
      while connections.count - 1 < granted {
        guard let segment = plan?.next(now: Self.now) else {
          surplus = granted - (connections.count - 1)
          granted -= surplus
          break
        }
        connections[segment.id] = .some(nil)
        new.append(segment)
      }
    }
    if surplus > 0 { demand(0) }
    for _ in 0..<surplus { configuration.owner.segmentEnded(nil, of: configuration.run) }
    for segment in new { request(segment) }
  }

  private func request(_ segment: SegmentPlan.Segment) {
    guard let version = lock.withLock({ _ in file?.version }) else { return }
    let sink = SegmentSink(self, segment, of: version)
    let work = configuration.transport.begin(
      configuration.makeRequest(segment.range, version.tag), into: sink
    ) { [self] result in
      segmentEnded(segment.id, result, sink.verdict)
    }
    let isUnwanted = lock.withLock { _ in
      guard connections[segment.id] != nil else { return false }
      connections[segment.id] = work
      return isCancelled || mustRestart || plan?[segment.id] == nil
    }
    if isUnwanted { work.cancel() }
  }

  // MARK: - Receiving

  /// Records that a valid response has begun.
  /// - Returns: false if the segment is not needed any more.
  func confirm(_ id: SegmentPlan.SegmentID) -> Bool {
    lock.withLock { _ in !mustRestart && plan?.confirm(id) ?? false }
  }

  /// Writes the next bytes of the stream.
  func receive(_ bytes: RawSpan) throws(SinkError) {
    guard let stream = lock.withLock({ _ in stream }) else { return }
    try receive(bytes, for: stream)
  }

  /// Writes the next bytes of a segment.
  /// - Throws: If the segment accepts no more bytes, or the disk fails; the request then ends.
  func receive(_ bytes: RawSpan, for id: SegmentPlan.SegmentID) throws(SinkError) {
    let written = try bytes.withUnsafeBytes { (bytes) throws(SinkError) in
      try lock.withLock { _ throws(SinkError) in try write(bytes, for: id) }
    }
    for work in written.preempted { work.cancel() }
    written.hasher?.advance(to: written.frontier)
    if let received = written.unsynced { try sync(received) }
    if written.byteCount < bytes.byteCount {
      throw SinkError("all bytes of the segment were received")
    }
  }

  private struct Written {
    var byteCount = 0
    var frontier: Int64 = 0
    var hasher: FrontierHasher?
    /// The requests of segments that the stream has taken over.
    var preempted: [any Cancellable] = []
    /// The ranges that are to be synced now; nil if no sync is due.
    var unsynced: ByteRangeSet?
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, for id: SegmentPlan.SegmentID
  ) throws(SinkError) -> Written {
    var written = Written()
    guard var plan, !mustRestart, !isCancelled, !hasDiskFailed else { return written }
    let activeCount = plan.active.count
    do throws(SystemError) {
      while written.byteCount < bytes.count {
        let room = plan.room(for: id)
        guard room > 0, let position = plan[id]?.position else { break }
        let count = Int(min(room, Int64(bytes.count - written.byteCount)))
        let part = UnsafeRawBufferPointer(rebasing: bytes[written.byteCount...].prefix(count))
        try file?.write(part, at: position)
        plan.receive(Int64(count), for: id)
        written.byteCount += count
      }
      self.plan = plan
      try file?.record(plan.received)
    } catch {
      throw SinkError(error)
    }
    if plan.active.count < activeCount {
      written.preempted = connections.compactMap { plan[$0.key] == nil ? $0.value : nil }
    }
    configuration.counter.set(received: plan.received.byteCount)
    written.frontier = plan.received.prefixEnd
    written.hasher = hasher
    written.unsynced = file?.beginSync(configuration.syncInterval)
    return written
  }

  private var hasDiskFailed: Bool { file?.hasFailed ?? false }

  /// Syncs the file, and then records that these ranges survive a power cut.
  private func sync(_ ranges: ByteRangeSet) throws(SinkError) {
    guard let descriptor = lock.withLock({ _ in file?.file }) else { return }
    do throws(SystemError) {
      try descriptor.syncData()
      try lock.withLock { _ throws(SystemError) in try file?.endSync(of: ranges) }
    } catch {
      lock.withLock { _ in file?.failSync() }
      throw SinkError(error)
    }
    if let partial { configuration.owner.partialFileChanged(partial, of: configuration.run) }
  }

  // MARK: - Ends of requests

  /// Handles the end of the first request.
  /// - Returns: false if the segments have not begun, so that the caller must handle the end.
  func streamEnded(_ result: Result<TransportResponse, TransportError>) -> Bool {
    guard let stream = lock.withLock({ _ in stream }) else {
      lock.withLock { _ in whenEnded = nil }
      return false
    }
    segmentEnded(stream, result, .accepted)
    return true
  }

  private func segmentEnded(
    _ id: SegmentPlan.SegmentID, _ result: Result<TransportResponse, TransportError>,
    _ verdict: SegmentVersion.Verdict?
  ) {
    let after = lock.withLock { _ in recordEnd(of: id, result, verdict) }
    if after.isAborted {
      for work in after.unwanted { work.cancel() }
      configuration.cancelStream()
    }
    if let next = after.next { return request(next) }
    if after.isLast { return finish() }
    if let demand = after.demand { self.demand(demand) }
    configuration.owner.segmentEnded(after.problem, of: configuration.run)
  }

  /// What follows the end of a request.
  private struct Continuation {
    /// The reason why the segment is incomplete; nil if it is complete or not needed.
    var problem: DownloadFailure?
    /// The segment that the connection receives next.
    var next: SegmentPlan.Segment?
    var isLast = false
    /// Whether the other requests must end too, and those of them that can be cancelled.
    var isAborted = false
    var unwanted: [any Cancellable] = []
    /// The number of further connections that are of use from now on; nil if unchanged.
    var demand: Int?
  }

  /// Records the end of a request and decides how to continue. The caller holds the lock.
  private func recordEnd(
    of id: SegmentPlan.SegmentID, _ result: Result<TransportResponse, TransportError>,
    _ verdict: SegmentVersion.Verdict?
  ) -> Continuation {
    var after = Continuation()
    connections[id] = nil
    guard var plan else { return after }
    defer { self.plan = plan }
    let capacity = plan.capacity
    after.problem = problem(of: id, plan, result, verdict)
    if let problem = after.problem {
      if case .disk? = failure {} else { failure = problem }
      isRefused = verdict == .refused
      // After such an answer, no other request for a range is worth trying beside the running ones.
      plan.end(id, isRefused || !problem.isRetryable ? .refused : .failed)
    } else {
      plan.end(id)
    }
    after.isAborted = mustRestart || isCancelled || hasDiskFailed
    if after.isAborted { after.unwanted = connections.values.compactMap { $0 } }
    if after.problem == nil, !after.isAborted,
      connections.isEmpty || !isWithdrawn && connections.count <= granted
    {
      after.next = plan.next(now: Self.now)
    }
    if let next = after.next {
      connections[next.id] = .some(nil)
      return after
    }
    after.isLast = connections.isEmpty
    granted = max(0, granted - 1)
    if after.problem == nil {
      // No byte is left to hand out, so no grant must follow the returned one.
      if !isWithdrawn { after.demand = 0 }
    } else if plan.capacity != capacity {
      after.demand = plan.capacity - 1
    }
    return after
  }

  /// Returns the reason why a segment is incomplete; nil if it is complete or no longer needed. The caller
  /// holds the lock.
  private func problem(
    of id: SegmentPlan.SegmentID, _ plan: SegmentPlan,
    _ result: Result<TransportResponse, TransportError>, _ verdict: SegmentVersion.Verdict?
  ) -> DownloadFailure? {
    guard plan[id] != nil, !plan.isDone(id), !mustRestart else { return nil }
    switch verdict {
    case .changed?:
      mustRestart = true
      return nil
    case .refused?: return .protocolViolation("the server ignored the range of a request")
    case .failed(let failure)?: return failure
    case .accepted?, nil: break
    }
    switch result {
    // A sink that accepts no more bytes, although the disk did not fail, belongs to a cancelled transfer.
    case .failure(let error) where error.sinkError != nil && !hasDiskFailed: return .cancelled
    case .failure(let error): return DownloadFailure(error)
    case .success:
      return .transport(
        code: .truncated, detail: "the response ended before the end of its range",
        isRetryable: true)
    }
  }

  /// Reports the end, after all requests have ended.
  private func finish() {
    let ended = lock.withLock { _ in
      let report = whenEnded
      whenEnded = nil
      return (end: report == nil ? nil : conclude(), report: report, hasher: hasher, file: file)
    }
    guard let report = ended.report, let hasher = ended.hasher, let file = ended.file else {
      return
    }
    if let end = ended.end {
      hasher.abandon()
      file.file.close()
      return report(end)
    }
    hasher.finish(file.version.total) { result in
      file.file.close()
      switch result {
      case .success(let digest): report(.complete(digest))
      case .failure(let error):
        report(.failed(.disk(error.description, isFull: error.isDiskFull)))
      }
    }
  }

  /// Brings the file to its final state and returns the end; nil for a complete file, whose digest is not yet
  /// known. The caller holds the lock.
  private func conclude() -> End? {
    if mustRestart { return .mustRestart }
    do throws(SystemError) {
      if plan?.isComplete ?? false {
        try file?.complete()
        return nil
      }
    } catch {
      return .failed(.disk(error.description, isFull: error.isDiskFull))
    }
    if !hasDiskFailed { try? file?.writeJournal() }
    switch failure {
    case .disk(let detail, let isFull)?: return .failed(.disk(detail, isFull: isFull))
    case _ where isCancelled: return .failed(.cancelled)
    case _ where isRefused: return .mustRestart
    case let failure: return .failed(failure ?? .cancelled)
    }
  }

  func cancel() {
    let works = lock.withLock { _ in
      isCancelled = true
      return connections.values.compactMap { $0 }
    }
    for work in works { work.cancel() }
  }

  // MARK: - The state of the file

  /// The state from which a later attempt can continue; nil if the first byte is missing.
  var partial: PartialDownload? {
    lock.withLock { _ in file?.partial(bootID: configuration.bootID) }
  }

  /// The number of bytes that this transfer has added to the file.
  var gainedBytes: Int64 { lock.withLock { _ in file?.gainedBytes ?? 0 } }
}
