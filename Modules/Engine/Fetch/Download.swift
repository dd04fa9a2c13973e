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
/// outcome is reported on the transport's thread. An attempt that the partial file, the store or several
/// exchanges take part in continues in a task.
final class Download: Cancellable {
  let order: DownloadOrder
  let downloadContext: Context
  let counter: TransferCounter
  let owner: any DownloadOwner
  let run: DownloadRun
  let work = RunningWork()
  let state = Mutex(State())

  struct State {
    var responses = ResponseLog()
    var resumption = ResumeProgress()
    /// Whether segments have failed, so that the file is requested on one connection.
    var hasGivenUpSegments = false
    /// Whether the server has ended a range early, without sending bytes that are worth the request.
    var hasShortRange = false
    /// Why the bytes of an earlier attempt were discarded; nil if they were not.
    var restartCause: DownloadFailure?
    /// The end of the time for all requests; nil before the first one.
    var deadline: AttemptDeadline?
  }

  init(
    job: Job, number: UInt64, origin: RequestOrigin, asOf: ResourceID,
    downloadContext: Context, counter: TransferCounter, owner: any DownloadOwner,
    source: FileSink.Aspects? = nil, bytesPerSecond: Int = 0, connections: Int? = nil,
    terms: RequestTerms
  ) {
    order = DownloadOrder(
      job: job, origin: origin, asOf: asOf, source: source, bytesPerSecond: bytesPerSecond,
      connections: connections, terms: terms)
    self.downloadContext = downloadContext
    self.counter = counter
    self.owner = owner
    run = DownloadRun(request: job.request, number: number)
  }

  var job: Job { order.job }
  var path: String { downloadContext.layout.partial(of: job.request) }
  var limit: Int64 { Int64(downloadContext.settings.limits.resourceBytes) }

  /// Begins the attempt and returns at once; the owner receives the outcome. Must be called only once.
  func start() {
    // The file of a mirror replaces the rows of tiles in the partial file.
    if job.mirrors != nil, job.dueDescription == nil, case .http = job.location {
      _ = downloadContext.tileProgress.take(job.request)
    }
    guard let url = order.plainURL else { return advance(from: nil) }
    var point = ResumePoint()
    point.priorBytes.isConditional = job.plan == .conditional
    FileExchange.begin(self, url, from: point) { [self] end in
      if case .done(let outcome) = end, outcome.keepsPartialFile {
        owner.transferEnded(run, outcome)
      } else {
        advance(from: end)
      }
    }
  }

  func cancel() { work.cancel() }

  // MARK: - Observations

  /// The observations of the responses so far.
  var responses: ResponseLog { state.withLock { $0.responses } }

  /// The host that answered or failed last: the job's own host, or the target of a redirect.
  var lastHost: HostName {
    state.withLock { $0.responses.redirectedOrigin }.map { HostName($0.description) } ?? job.host
  }

  /// Records the URL that has answered or failed last.
  func recordURL(_ url: HTTPURL) {
    let requested = job.dueDescription.map { .http($0.url) } ?? job.location
    state.withLock { $0.responses.recordURL(url, of: requested) }
  }

  /// The number of bytes by which the attempt has exceeded the longest resumable state of the file before it;
  /// valid once it has ended.
  var gainedBytes: Int64 { state.withLock { $0.resumption.gained } }

  /// The largest number of resumable bytes that this attempt or an earlier one had; valid once it has ended.
  var longestPartial: Int64 {
    max(state.withLock { $0.resumption.longestState }, job.longestPartial)
  }

  /// The end of the time for all requests of the attempt, which begins with the first use.
  var deadline: AttemptDeadline {
    state.withLock { state in
      let deadline =
        state.deadline
        ?? AttemptDeadline(
          order.limits, from: Machine.monotonicNanoseconds)
      state.deadline = deadline
      return deadline
    }
  }

  /// The head of the response that delivered the complete file, or of one with links that failed.
  var responseHead: ResponseHead? { state.withLock { $0.responses.head } }

  /// The observations of the responses if they may have named other URLs; otherwise nil.
  var responsesWithLinks: ResponseLog? {
    state.withLock { $0.responses.mayHaveLinks ? $0.responses : nil }
  }

  /// Returns the complete file with the validator that later requests for the resource may use: none if a mirror or
  /// another origin has sent the file (`Validator.forCondition`).
  func withOwnValidator(_ file: StoredFile) -> StoredFile {
    let hasLeftOrigin = state.withLock { $0.responses.head?.hasLeftOrigin ?? false }
    guard hasLeftOrigin || job.isOnMirror else { return file }
    var file = file
    file.validator = Validator()
    return file
  }

  // MARK: - Connections granted by the owner

  /// Grants a further connection, which the download has requested from its owner.
  func addConnection() {
    guard let segments = work.segments else {
      // The transfer no longer uses segments; the grant was on its way.
      return owner.segmentRefused(of: run)
    }
    segments.addConnection()
  }

  /// Takes a further connection back, which ends soon.
  func withdrawConnection() { work.segments?.withdrawConnection() }

  /// Begins no request for a further segment for some seconds, because the host is backing off.
  func holdSegments(for seconds: Double) { work.segments?.hold(for: seconds) }

  /// Whether the file on the server changed, or its ranges were refused, while it was received in segments.
  var hasGivenUpSegments: Bool { state.withLock { $0.hasGivenUpSegments } }

  func giveUpSegments() { state.withLock { $0.hasGivenUpSegments = true } }

  /// Records that the server has ended a range early. Segments would be ranges as well, and are given up.
  /// - Returns: Whether it has done so before.
  func recordShortRange() -> Bool {
    state.withLock { state in
      defer { (state.hasShortRange, state.hasGivenUpSegments) = (true, true) }
      return state.hasShortRange
    }
  }

  /// Why the attempt has discarded the bytes of an earlier one; nil if it has not.
  var restartCause: DownloadFailure? { state.withLock { $0.restartCause } }

  func recordRestart(_ cause: DownloadFailure) { state.withLock { $0.restartCause = cause } }

  // MARK: - The exchanges of the attempt

  /// Continues on the concurrent pool with the steps that may block or suspend.
  private func advance(from end: FileExchange.End?) {
    work.start { Task { @concurrent in owner.transferEnded(run, await outcome(from: end)) } }
  }

  private func outcome(from end: FileExchange.End?) async -> Outcome {
    var outcome =
      switch end {
      case .done(let outcome)?: outcome
      case .startOver?, .requestWhole?: await fetch(from: nil, isAnew: true)
      case .continueFrom(let partial, _)?: await fetch(from: partial, isAnew: false)
      case nil: await fetch(from: job.partial, isAnew: false)
      }
    if case .complete(let file) = outcome { outcome = await complete(file) }
    if !outcome.keepsPartialFile {
      // No later attempt can continue from these bytes, and nothing else would remove the file.
      let path = path
      try? await downloadContext.files.run { [downloadContext] in
        try downloadContext.layout.folder.removeIfExists(path)
      }
    }
    return outcome
  }

  /// Completes the description of a file that no response has delivered as it is.
  private func complete(_ file: StoredFile) async -> Outcome {
    do throws(DownloadFailure) {
      return .complete(try await addChecksums(to: file))
    } catch {
      return .failed(error, partial: nil)
    }
  }

  /// Requests or copies the resource; `isAnew` means that the partial file on disk is ignored.
  private func fetch(from partial: PartialDownload?, isAnew: Bool) async -> Outcome {
    guard !job.subscribers.isEmpty else { return .failed(.cancelled, partial: nil) }
    if let description = job.dueDescription {
      return await DescriptionDownload(download: self, description: description).run()
    }
    switch job.location {
    case .http(let url): return await fetch(url, from: partial, isAnew: isAnew)
    case .imageService(let base):
      return await ImageServiceDownload(download: self, base: base)
        .run(from: partial, isAnew: isAnew)
    case .file(let path): return await LocalFile.copy(path, for: self)
    case .invalid(let error):
      return .failed(.content("not a URL that can be fetched: \(error)"), partial: nil)
    }
  }

  /// Requests the file of a URL until a response is final: with the rest of the partial file, and as a whole if
  /// that turns out to be useless.
  func fetch(_ url: HTTPURL, from partial: PartialDownload?, isAnew: Bool) async -> Outcome {
    var point = isAnew ? ResumePoint() : await resumePoint(of: partial, at: url)
    // The hash of a long partial file is not finished after a cancellation, and the file stays as it is.
    if !isAnew, let partial, work.isCancelled { return .failed(.cancelled, partial: partial) }
    point.priorBytes.isConditional =
      !isAnew && point.priorBytes.byteCount == 0 && job.plan == .conditional
      && !job.location.isImageService
    while true {
      if point.isFromBeginning, job.mayHaveRow || hasGivenUpSegments,
        await !owner.forgetRow(of: job.request)
      {
        return .failed(.cancelled, partial: job.partial)
      }
      guard await recordJoining(at: point) else {
        return .failed(.cancelled, partial: job.partial)
      }
      switch await exchange(url, from: point) {
      case .done(let outcome): return outcome
      // Only a request with a range, with segments, with a condition, or that would replace the bytes on disk ends
      // with `.startOver`; the next one has none of these.
      case .startOver: point = ResumePoint()
      case .requestWhole(let endangered):
        point = ResumePoint()
        point.priorBytes.endangered = endangered
      // A response that was a part of the missing bytes has a point, and the file grows with each. Without a point,
      // only a request with segments, or the first of a range that ended early ends with `.continueFrom`; the next
      // one has no segments, and is the last of its kind.
      case .continueFrom(let partial, let known?):
        state.withLock {
          $0.resumption.begin(with: ResumePointReader.Found(continued: partial))
        }
        point = known
        if work.isCancelled { return .failed(.cancelled, partial: partial) }
      case .continueFrom(let partial, nil):
        point = await resumePoint(of: partial, at: url)
        if work.isCancelled { return .failed(.cancelled, partial: partial) }
      }
    }
  }

  private func exchange(_ url: HTTPURL, from point: ResumePoint) async -> FileExchange.End {
    await withCheckedContinuation { continuation in
      FileExchange.begin(self, url, from: point) { continuation.resume(returning: $0) }
    }
  }

  private func resumePoint(of partial: PartialDownload?, at url: HTTPURL) async -> ResumePoint {
    guard let partial else { return ResumePoint() }
    let reader = ResumePointReader(job: job, path: path, context: downloadContext)
    let found = await reader.resumePoint(of: partial, at: url)
    state.withLock { $0.resumption.begin(with: found) }
    return found.point
  }

  /// Records in the store that the bytes are of several URLs, before the first byte of another one is appended.
  /// A killed process would otherwise leave a row that claims one version for all of them.
  /// - Returns: false if the store cannot be written.
  private func recordJoining(at point: ResumePoint) async -> Bool {
    guard point.priorBytes.continuation == .verifiedByChecksum,
      let partial = state.withLock({ $0.resumption.continued }),
      partial.url != nil || !partial.validator.isEmpty
    else { return true }
    return await owner.replaceRow(
      of: job.request,
      by: PartialDownload(
        validator: Validator(), totalBytes: partial.totalBytes, bootID: partial.bootID,
        syncedBytes: partial.syncedBytes, hasGaps: partial.hasGaps))
  }
}
