import Hashing
import LibraryAPI
import Models
import Persistence
import ProgressTree
import Synchronization
import SystemCalls
import Threading
import Transport

/// Performs one attempt at one request: from an existing or missing partial file to a complete one.
///
/// A plain request needs neither a task nor a queue: the caller's thread hands it to the transport, and the
/// outcome is reported on the transport's thread.
final class Download: Cancellable {
  let job: Job
  /// The origin of the URL, which decides what addresses the request may reach.
  let origin: RequestOrigin
  /// The newest resource id at the start of the attempt.
  let asOf: ResourceID
  let downloadContext: Context
  let counter: TransferCounter
  let owner: any DownloadOwner
  let run: DownloadRun
  /// The checks and reports while a source is received; nil for a resource.
  let source: FileSink.Aspects?
  /// The rate limit of the transfer in bytes per second; 0 means none.
  let bytesPerSecond: Int
  /// The maximum number of connections; nil means `network.segments`.
  let connections: Int?
  let progress = Mutex(Progress())

  /// The state of the attempt, including the running work that `cancel` must reach.
  struct Progress {
    var isCancelled = false
    /// The HTTP exchange or task that was begun last.
    var runningWork: (any Cancellable)?
    var beginCount = 0
    /// The largest number of resumable bytes before this attempt began, and until now.
    var longest: (before: Int64, now: Int64) = (0, 0)
    /// The number of bytes received that the next attempt can continue from.
    var gained: Int64 = 0
    /// Whether the head of a response was received.
    var wasAnswered = false
    /// The head of the response that delivered the complete file, or of one with links that failed.
    var head: ResponseHead?
    /// The URL of a redirect that the request does not permit.
    var refusedRedirect: HTTPURL?
    /// The origin of the last request, if a redirect led to another origin.
    var redirected: HTTPURL.Origin?
    /// The receiver of a large file over several connections, during an attempt.
    var segments: SegmentedTransfer?
    /// Whether segments have failed, so that the file is requested on one connection.
    var hasGivenUpSegments = false
    /// The state of the partial file that the attempt continues; nil for that of the job.
    var continued: PartialDownload?
    /// The end of the time for all requests; nil before the first one.
    var deadline: AttemptDeadline?
  }

  init(
    job: Job, number: UInt64, origin: RequestOrigin, asOf: ResourceID,
    downloadContext: Context, counter: TransferCounter, owner: any DownloadOwner,
    source: FileSink.Aspects? = nil, bytesPerSecond: Int = 0, connections: Int? = nil
  ) {
    self.source = source
    self.bytesPerSecond = bytesPerSecond
    self.connections = connections
    (self.job, self.origin, self.asOf) = (job, origin, asOf)
    self.downloadContext = downloadContext
    self.counter = counter
    self.owner = owner
    run = DownloadRun(request: job.request, number: number)
  }

  enum Outcome: Sendable {
    /// The partial file is complete; it is not yet moved to its name in the library.
    case complete(StoredFile)
    /// The server confirmed the file that the library holds (304).
    case unchanged(ExistingFile, StoredFile.Answer)
    /// The attempt failed; `partial` describes the bytes that the next attempt can continue from.
    case failed(DownloadFailure, partial: PartialDownload?)

    /// Whether the partial file, if there is one, is of use to a later attempt or to the committer.
    fileprivate var keepsPartialFile: Bool {
      if case .failed(_, partial: nil) = self { false } else { true }
    }
  }

  enum Step {
    case done(Outcome)
    /// The partial file is useless, and the request must be repeated without a range.
    case startOver
    /// The request must be repeated without a range, and the response judged before it replaces the bytes.
    case requestWhole(WholeBodyCheck.Endangered)
    /// The request must be repeated for the rest of the partial file.
    case continueFrom(PartialDownload)
  }

  /// The partial file of an earlier attempt. The sink takes over the hasher in `prefix`, so a value is used
  /// once.
  struct Start: Sendable {
    var priorBytes = ResumeDecision.PriorBytes()
    /// The digest state of the existing bytes, or nil if there are none.
    var prefix: PrefixDigest?
  }

  var path: String { downloadContext.layout.partial(of: job.request) }
  var limit: Int64 { Int64(downloadContext.settings.limits.resourceBytes) }

  /// Begins the attempt and returns at once; the owner receives the outcome. Must be called only once.
  func start() {
    // The file of a mirror replaces the rows of tiles in the partial file.
    if job.mirrors != nil, case .http = job.location {
      _ = downloadContext.tileProgress.take(job.request)
    }
    guard let url = plainURL else { return advance(from: nil) }
    var start = Start()
    start.priorBytes.isConditional = job.plan == .conditional
    attempt(url, start) { [self] step in
      if case .done(let outcome) = step, outcome.keepsPartialFile {
        owner.transferEnded(run, outcome)
      } else {
        advance(from: step)
      }
    }
  }

  func cancel() {
    let (work, segments) = progress.withLock { progress in
      progress.isCancelled = true
      return (progress.runningWork, progress.segments)
    }
    segments?.cancel()
    work?.cancel()
  }

  /// The number of bytes by which the attempt has exceeded the longest resumable state of the file before it;
  /// valid once it has ended.
  var gainedBytes: Int64 { progress.withLock { $0.gained } }

  /// The largest number of resumable bytes that this attempt or an earlier one had; valid once it has ended.
  var longestPartial: Int64 { progress.withLock { max($0.longest.now, job.longestPartial) } }

  func recordGain(_ byteCount: Int64) { progress.withLock { $0.gained = byteCount } }

  /// The head of the last response that delivered the complete file, or that named other URLs of it.
  var head: ResponseHead? { progress.withLock { $0.head } }

  /// Whether the head of a response was received; valid after the attempt has failed.
  var wasAnswered: Bool {
    get { progress.withLock { $0.wasAnswered } }
    set { progress.withLock { $0.wasAnswered = newValue } }
  }

  /// The host that answered or failed last: the job's own host, or the target of a redirect.
  var lastHost: HostName {
    progress.withLock { $0.redirected }.map { HostName($0.description) } ?? job.host
  }

  /// The URL of a redirect that the request did not permit; valid after the attempt has failed.
  var refusedRedirect: HTTPURL? { progress.withLock { $0.refusedRedirect } }

  func recordRedirect(to url: HTTPURL) {
    let origin = url.origin == job.location.url?.origin ? nil : url.origin
    progress.withLock { $0.redirected = origin }
  }

  /// The URL, if the request needs neither the partial file nor the store; otherwise nil.
  private var plainURL: HTTPURL? {
    guard job.partial == nil, !job.mayHaveRow, case .http(let url) = job.location else {
      return nil
    }
    return url
  }

  func startWork(_ begin: () -> any Cancellable) {
    let number = progress.withLock { progress in
      progress.beginCount += 1
      return progress.beginCount
    }
    let work = begin()
    let isCancelled = progress.withLock { progress in
      // The work may have ended, and other work begun, before it could be recorded here.
      if progress.beginCount == number { progress.runningWork = work }
      return progress.isCancelled
    }
    if isCancelled { work.cancel() }
  }

  /// Continues on the concurrent pool with the steps that may block or suspend.
  private func advance(from step: Step?) {
    startWork { Task { @concurrent in owner.transferEnded(run, await outcome(from: step)) } }
  }

  private func outcome(from step: Step?) async -> Outcome {
    let outcome =
      switch step {
      case .done(let outcome)?: outcome
      case .startOver?, .requestWhole?: await fetch(from: nil, isAnew: true)
      case .continueFrom(let partial)?: await fetch(from: partial, isAnew: false)
      case nil: await fetch(from: job.partial, isAnew: false)
      }
    if !outcome.keepsPartialFile {
      // No later attempt can continue from these bytes, and nothing else would remove the file.
      let path = path
      try? await downloadContext.files.run { [downloadContext] in
        try downloadContext.layout.folder.removeIfExists(path)
      }
    }
    return outcome
  }

  /// Requests or copies the resource; `isAnew` means that the partial file on disk is ignored.
  private func fetch(from partial: PartialDownload?, isAnew: Bool) async -> Outcome {
    guard !job.subscribers.isEmpty else { return .failed(.cancelled, partial: nil) }
    switch job.location {
    case .http(let url): return await fetch(url, from: partial, isAnew: isAnew)
    case .imageService(let base):
      return await fetchImage(ofService: base, from: partial, isAnew: isAnew)
    case .file(let path): return await copyLocalFile(path)
    case .invalid(let error):
      return .failed(.content("not a URL that can be fetched: \(error)"), partial: nil)
    }
  }

  func fetch(_ url: HTTPURL, from partial: PartialDownload?, isAnew: Bool) async -> Outcome {
    var start = isAnew ? Start() : await resumePoint(of: partial, at: url)
    // The hash of a long partial file is not finished after a cancellation, and the file stays as it is.
    if !isAnew, let partial, isCancelled { return .failed(.cancelled, partial: partial) }
    start.priorBytes.isConditional =
      !isAnew && start.priorBytes.byteCount == 0 && job.plan == .conditional
      && !job.location.isImageService
    while true {
      let isPlain = start.priorBytes.byteCount == 0 && start.priorBytes.endangered == nil
      if isPlain, job.mayHaveRow || hasGivenUpSegments, await !owner.forgetRow(of: job.request) {
        return .failed(.cancelled, partial: job.partial)
      }
      guard await recordJoining(start) else { return .failed(.cancelled, partial: job.partial) }
      switch await attempt(url, start) {
      case .done(let outcome): return outcome
      // Only a request with a range, with segments, or that would replace the bytes of another URL ends with
      // `.startOver`; the next one does none of this.
      case .startOver: start = Start()
      case .requestWhole(let endangered):
        start = Start()
        start.priorBytes.endangered = endangered
      // Only a request with segments ends with `.continueFrom`; the next one has none.
      case .continueFrom(let partial):
        start = await resumePoint(of: partial, at: url)
        if isCancelled { return .failed(.cancelled, partial: partial) }
      }
    }
  }

  private func attempt(_ url: HTTPURL, _ start: Start) async -> Step {
    await withCheckedContinuation { continuation in
      attempt(url, start) { continuation.resume(returning: $0) }
    }
  }

  private func attempt(
    _ url: HTTPURL, _ start: Start, _ whenEnded: @escaping @Sendable (Step) -> Void
  ) {
    let options = FileSink.Options(
      path: path, folder: downloadContext.layout.folder,
      limit: limit, bootID: downloadContext.bootID,
      syncInterval: downloadContext.settings.durability == .full ? FileSink.syncInterval : nil,
      url: url.equivalenceKey, check: job.wholeBodyCheck)
    let deadline = deadline
    let segments = makeSegments(self.request(url), options, deadline)
    let sink = FileSink(
      options, known: start.priorBytes, prefix: start.prefix, hashers: downloadContext.hashers,
      counter: counter, run: run, owner: owner, aspects: source, segments: segments)
    var request = request(url)
    addConditions(to: &request, start)
    request.acceptEncoding = sink.acceptEncoding
    // When no time is left, the request gets a millisecond, so that the transport reports the timeout.
    _ = deadline.limit(&request, at: Machine.monotonicNanoseconds)
    let began = downloadContext.wallClock.unixSeconds()
    let beganAt = Machine.monotonicNanoseconds
    segments?.whenEnded { [self] end in
      let seconds = Double(Machine.monotonicNanoseconds &- beganAt) / 1e9
      judge(end, sink, began, seconds, whenEnded)
    }
    startWork {
      let work = downloadContext.transport.begin(request, into: sink) { [self] result in
        if let segments {
          if segments.streamEnded(result) { return }
          endWithoutSegments()
        }
        switch result {
        case .success(let response): judge(response, sink, began, whenEnded)
        case .failure(let error): whenEnded(.done(failed(error, sink)))
        }
      }
      segments?.attachStream(work)
      return work
    }
  }

  private var isCancelled: Bool { progress.withLock { $0.isCancelled } }

  private func failed(_ error: TransportError, _ sink: FileSink) -> Outcome {
    sink.close()
    recordRedirect(to: error.url)
    progress.withLock {
      $0.wasAnswered = sink.decision != nil
      $0.refusedRedirect = error.code == .redirectNotPermitted ? error.url : nil
    }
    if case .fail(let failure)? = sink.decision {
      return .failed(failure, partial: sink.hasBegun ? nil : partialDownload(of: sink))
    }
    return .failed(DownloadFailure(error), partial: partialDownload(of: sink))
  }

  private func judge(
    _ response: TransportResponse, _ sink: FileSink, _ began: Int64,
    _ whenEnded: @escaping @Sendable (Step) -> Void
  ) {
    recordRedirect(to: response.head.url)
    switch sink.decision {
    case .append?, .restart?, .complete?:
      if let total = sink.total, sink.count != total {
        sink.close()
        let failure = DownloadFailure.transport(
          code: .truncated, detail: "\(sink.count) of \(total) bytes were received",
          isRetryable: true)
        return whenEnded(.done(.failed(failure, partial: partialDownload(of: sink))))
      }
      if let problem = sink.endDecoding() {
        sink.close()
        return whenEnded(.done(.failed(.content(problem), partial: nil)))
      }
      progress.withLock { $0.head = response.head }
      completeFile(response, sink, began, whenEnded)
    case .unchanged?:
      sink.close()
      guard let existing = job.existing?.file else {
        return whenEnded(.done(.failed(.status(304, retryAfter: nil), partial: nil)))
      }
      whenEnded(.done(.unchanged(existing, makeAnswer(response.head, began))))
    case .startOver?:
      sink.close()
      // The bytes of another URL are given up only for a file, not for a refused range.
      if let endangered = sink.priorBytes.endangered, !sink.hasWholeBody {
        return whenEnded(.requestWhole(endangered))
      }
      whenEnded(.startOver)
    case .fail(.tooLarge(let limit))?:
      sink.close()
      whenEnded(.done(.failed(.tooLarge(limit: limit), partial: nil)))
    case .fail(let failure)?:
      sink.close()
      whenEnded(.done(.failed(failure, partial: partialDownload(of: sink))))
    case nil:
      let failure = DownloadFailure.protocolViolation("there was no response")
      whenEnded(.done(.failed(failure, partial: partialDownload(of: sink))))
    }
  }

  private func completeFile(
    _ response: TransportResponse, _ sink: FileSink, _ began: Int64,
    _ whenEnded: @escaping @Sendable (Step) -> Void
  ) {
    sink.completeFile(response, answer: makeAnswer(response.head, began)) { [self] file in
      whenEnded(complete(file, wasResumed: sink.priorBytes.byteCount > 0))
    }
  }

  func complete(_ file: StoredFile, wasResumed: Bool) -> Step {
    let problem = digestProblem(of: file) ?? pageProblem(of: file)
    // The parts of a resumed file may be of different versions in spite of the equal validator.
    if wasResumed, problem != nil || isUnexpected(file) { return .startOver }
    return .done(problem.map { .failed($0, partial: nil) } ?? .complete(file))
  }

  /// Describes the response as an answer to the request, which was sent at `began`, in seconds since 1970.
  func makeAnswer(_ head: ResponseHead, _ began: Int64) -> StoredFile.Answer {
    StoredFile.Answer(
      request: job.request, asOf: asOf,
      freshUntil: Freshness.freshUntil(
        head.fields, status: head.status, requestedAt: began,
        receivedAt: downloadContext.wallClock.unixSeconds()))
  }
}
