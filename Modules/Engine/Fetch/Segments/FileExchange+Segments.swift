import Models
import Persistence
import Synchronization
import SystemCalls
import Transport

/// Large files over several connections.
extension FileExchange {
  /// Requests a URL. Further connections may join when the response shows that the file is large.
  func begin(_ request: TransportRequest) {
    download.work.start {
      download.downloadContext.transport.begin(request, into: sink) { result in
        guard let segments = sink.segments else { return end(result) }
        let isContinued = segments.streamEnded(result) {
          judge($0, TransferTimings(from: startedAt, to: Machine.monotonicNanoseconds))
        }
        if isContinued { return }
        download.work.detachSegments()
        end(result)
      }
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
