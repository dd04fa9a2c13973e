import LibraryAPI
import Models
import Persistence
import Synchronization
import SystemCalls
import Transport

/// One exchange of a download whose response body goes to the partial file.
struct FileExchange: Sendable {
  /// The consequence of the end of an exchange.
  enum End: Sendable {
    case done(Download.Outcome)
    /// The partial file is useless, and the request must be repeated without a range.
    case startOver
    /// The request must be repeated without a range, and the response judged before it replaces the bytes.
    case requestWhole(WholeBodyCheck.Endangered)
    /// The request must be repeated for the rest of the partial file, whose state is read from the disk if the point is
    /// nil.
    case continueFrom(PartialDownload, ResumePoint? = nil)
  }

  let download: Download
  let sink: FileSink
  /// The time of the request, in seconds since 1970.
  let requestedAt: Int64
  /// The time of the request, in nanoseconds of the monotonic clock.
  let startedAt: UInt64
  let whenEnded: @Sendable (End) -> Void

  /// Requests a URL. Returns at once.
  /// - Parameter whenEnded: Called once, on a thread of the transport.
  static func begin(
    _ download: Download, _ url: HTTPURL, from point: ResumePoint,
    whenEnded: @escaping @Sendable (End) -> Void
  ) {
    let context = download.downloadContext
    let options = FileSink.Options(
      path: download.path, folder: context.layout.folder,
      limit: download.limit, ratio: context.settings.limits.archiveRatio, bootID: context.bootID,
      syncInterval: context.settings.durability == .full ? FileSink.syncInterval : nil,
      url: url, check: download.order.job.wholeBodyCheck,
      imageSide: context.settings.limits.imageSide,
      keepsServerTime: context.settings.network.lastModified && download.order.source == nil)
    let deadline = download.deadline
    var request = download.order.request(url)
    let sink = FileSink(
      options, known: point.priorBytes, prefix: point.prefix, hashers: context.hashers,
      counter: download.counter, run: download.run, owner: download.owner,
      aspects: download.order.source,
      offer: SegmentOffer(download, url))
    download.order.addConditions(to: &request, point.priorBytes)
    request.acceptEncoding = sink.acceptEncoding
    // When no time is left, the request gets a millisecond, so that the transport reports the timeout.
    let now = Machine.monotonicNanoseconds
    _ = deadline.limit(&request, at: now)
    FileExchange(
      download: download, sink: sink, requestedAt: context.wallClock.unixSeconds(), startedAt: now,
      whenEnded: whenEnded
    ).begin(request)
  }

  /// Handles the end of an exchange over one connection.
  func end(_ result: Result<TransportResponse, TransportError>) {
    recordRedirect()
    switch result {
    case .success(let response):
      download.recordURL(response.head.url)
      let received = received(decodingProblem: sink.endDecoding())
      switch ResponseJudgement(received, confirming: download.job.existing?.file) {
      case .complete:
        download.state.withLock { $0.responses.recordHead(response.head) }
        completeFile(response)
      case .unchanged(let existing):
        sink.close()
        whenEnded(.done(.unchanged(existing, answer(response.head))))
      case .startOver:
        sink.close()
        if let cause = sink.restartCause { download.recordRestart(cause) }
        whenEnded(.startOver)
      case .requestWhole(let endangered):
        sink.close()
        whenEnded(.requestWhole(endangered))
      case .part: requestRest()
      case .short(let failure): fail(failure, isShort: true)
      case .failed(let failure): fail(failure)
      }
    case .failure(let error):
      download.recordURL(error.url)
      if sink.isLeftToResource, let head = sink.head {
        sink.close()
        return whenEnded(.done(.isResource(head)))
      }
      // The decoder of an incomplete body must not be used any more.
      let received = received(decodingProblem: nil)
      download.state.withLock {
        $0.responses.recordFailure(error, wasAnswered: received.decision != nil)
      }
      fail(ResponseJudgement.Failure(received, error))
    }
  }

  /// Records the redirect whose links count if the content cannot be downloaded from its target.
  func recordRedirect() {
    guard let redirect = sink.redirect else { return }
    download.state.withLock {
      $0.responses.recordRedirect(redirect, of: download.job.location)
    }
  }

  private func requestRest() {
    sink.close()
    guard let partial = partialDownload() else { return whenEnded(.startOver) }
    sink.passOn { [whenEnded] in whenEnded(.continueFrom(partial, $0)) }
  }

  /// - Parameter isShort: Whether the server ended a range early. The rest is then requested once more, in case that
  ///   it was an accident, and then the whole file, because the server does not deliver the rest by range.
  private func fail(_ failure: ResponseJudgement.Failure, isShort: Bool = false) {
    sink.close()
    let partial = failure.keepsPartialFile ? partialDownload() : nil
    if isShort, let partial {
      let isRepeated = download.recordShortRange()
      return whenEnded(isRepeated ? .startOver : .continueFrom(partial))
    }
    whenEnded(.done(.failed(failure.cause, partial: partial)))
  }

  private func received(decodingProblem: String?) -> ResponseJudgement.Received {
    ResponseJudgement.Received(
      decision: sink.decision, byteCount: sink.count,
      priorByteCount: sink.priorBytes.byteCount, totalBytes: sink.total,
      decodingProblem: decodingProblem, hasWholeBody: sink.hasWholeBody,
      hasBegun: sink.hasBegun, endangered: sink.priorBytes.endangered,
      replaceable: sink.priorBytes.replaceable)
  }

  private func completeFile(_ response: TransportResponse) {
    sink.completeFile(response, answer: answer(response.head)) { [self] result in
      switch result {
      case .success(let file):
        judge(file, wasResumed: sink.priorBytes.byteCount > 0, whenEnded)
      case .failure(let error):
        whenEnded(.done(.failed(DownloadFailure(error), partial: nil)))
      }
    }
  }

  /// Compares a complete file with the statements of the lists and the servers: at once, or after it was hashed
  /// with further algorithms.
  func judge(_ file: StoredFile, wasResumed: Bool, _ whenJudged: @escaping @Sendable (End) -> Void)
  {
    let check = download.contentCheck
    guard !check.missingAlgorithms(of: file).isEmpty else {
      return whenJudged(verdict(on: file, check, wasResumed: wasResumed))
    }
    download.work.start {
      Task { @concurrent in
        do throws(DownloadFailure) {
          let file = try await download.addChecksums(to: file)
          whenJudged(verdict(on: file, check, wasResumed: wasResumed))
        } catch {
          whenJudged(.done(.failed(error, partial: partialDownload())))
        }
      }
    }
  }

  private func verdict(
    on file: StoredFile, _ check: ResponseContentCheck, wasResumed: Bool
  ) -> End {
    switch check.judge(file, wasResumed: wasResumed) {
    case .accepted: .done(.complete(file))
    case .startOver: .startOver
    case .failed(let failure): .done(.failed(failure, partial: nil))
    }
  }

  func answer(_ head: ResponseHead) -> StoredFile.Answer {
    download.order.answer(
      head, requestedAt: requestedAt,
      now: download.downloadContext.wallClock.unixSeconds())
  }

  /// Returns the resumable part after a failure. If the exchange never opened the file, its old part is
  /// unchanged.
  func partialDownload() -> PartialDownload? {
    let job = download.job
    if sink.hasBegun {
      let partial = sink.partial
      let count = sink.isSegmented ? sink.segments?.receivedBytes ?? 0 : sink.count
      download.state.withLock {
        $0.responses.recordHead(sink.headWithLinks)
        $0.resumption.recordState(partial == nil ? 0 : count, earlier: job.longestPartial)
      }
      return partial
    }
    let continued = download.state.withLock { state in
      state.responses.recordHead(sink.headWithLinks)
      return state.resumption.continued
    }
    let isKept = sink.priorBytes.byteCount > 0 || sink.priorBytes.endangered != nil
    return isKept ? continued ?? job.partial : nil
  }
}
