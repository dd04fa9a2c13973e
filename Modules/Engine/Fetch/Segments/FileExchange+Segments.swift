import Models
import Persistence
import Synchronization
import SystemCalls
import Transport

/// Large files over several connections.
extension FileExchange {
  /// The largest number of connections of one file, as that of `network.segments`.
  private static let maximumConnections = 64

  /// Creates the receiver of segments; nil if the exchange uses one connection.
  /// - Parameter request: The request for the whole file.
  static func makeSegments(
    of download: Download, _ request: TransportRequest, _ options: FileSink.Options,
    _ deadline: AttemptDeadline
  ) -> SegmentedTransfer? {
    let order = download.order
    let network = download.downloadContext.settings.network
    // A rate limit holds for the whole transfer, and segments would not make it faster.
    guard order.source == nil, order.bytesPerSecond == 0, network.segments > 1,
      !download.hasGivenUpSegments
    else { return nil }
    let count = min(order.connections ?? network.segments, maximumConnections)
    guard count > 1 else { return nil }
    var request = request
    // The limit is that of the transfer, of which each connection receives a part.
    if request.limits.lowSpeed > 0 {
      request.limits.lowSpeed = max(1, request.limits.lowSpeed / count)
    }
    let segments = SegmentedTransfer(
      SegmentedTransfer.Configuration(
        limits: SegmentPlan.Limits(
          minimumBytes: max(64 << 10, Int64(network.segmentBytes)), maximumCount: count),
        syncInterval: options.syncInterval, bootID: options.bootID,
        transport: download.downloadContext.transport, run: download.run, owner: download.owner,
        counter: download.counter, request: request,
        recordAnswer: { [weak download] in download?.recordURL($0) },
        deadline: deadline))
    download.work.attach(segments)
    return segments
  }

  /// Begins an exchange that further connections may join.
  func begin(_ request: TransportRequest, _ segments: SegmentedTransfer) {
    let startedAt = Machine.monotonicNanoseconds
    segments.whenEnded { end in
      judge(end, TransferTimings(from: startedAt, to: Machine.monotonicNanoseconds))
    }
    download.work.start {
      let work = download.downloadContext.transport.begin(request, into: sink) { result in
        if segments.streamEnded(result) { return }
        download.work.detachSegments()
        end(result)
      }
      segments.attachStream(work)
      return work
    }
  }

  /// Decides after the end of all segments.
  /// - Parameter timings: The duration of the exchange.
  private func judge(_ end: SegmentedTransfer.End, _ timings: TransferTimings) {
    download.work.detachSegments()
    recordRedirect()
    download.state.withLock { $0.responses.recordAnswer(true) }
    let partial = partialDownload()
    switch end {
    case .complete(let digest):
      guard let head = sink.head, let version = sink.segmentVersion else {
        let failure = DownloadFailure.protocolViolation("there was no response")
        return whenEnded(.done(.failed(failure, partial: partial)))
      }
      download.state.withLock { $0.responses.recordHead(head) }
      // A process that is killed before the file is committed leaves it without its list, and without gaps.
      if let partial { download.owner.partialFileChanged(partial, of: download.run) }
      sink.setServerTime()
      let file = sink.describe(version.total, digest, head, timings, answer(head))
      judge(file, wasResumed: true) { consequence in
        if case .startOver = consequence { download.giveUpSegments() }
        whenEnded(consequence)
      }
    case .incomplete(.mustRestart):
      download.giveUpSegments()
      whenEnded(.startOver)
    case .incomplete(.mustContinueAlone):
      download.giveUpSegments()
      whenEnded(partial.map { .continueFrom($0) } ?? .startOver)
    case .incomplete(.mustWait):
      // A cancelled transfer is queued again without a failure, and waits for the end of the backoff. If the
      // earlier bytes were discarded, nothing may have been gained, and a file that changes before the end of each
      // backoff would be requested without end.
      let failure = sink.restartCause ?? download.restartCause ?? .cancelled
      whenEnded(.done(.failed(failure, partial: partial)))
    case .incomplete(.failed(let failure)):
      whenEnded(.done(.failed(failure, partial: partial)))
    case .incomplete(.complete):
      whenEnded(.done(.failed(.protocolViolation("the file is incomplete"), partial: partial)))
    }
  }
}
