import Models

/// The further connections of running transfers of large files.
extension TransferStage {
  /// Passes the number of further connections that a running transfer can use to the scheduler.
  func segmentsWanted(_ count: Int, of run: DownloadRun) {
    guard isCurrent(run), let transfer = running[run.request] else { return }
    send(.segmentsWanted(run.request, count, from: transfer.download.lastHost))
  }

  /// Records that a transfer has returned one of its further connections.
  func segmentEnded(_ failure: DownloadFailure?, of run: DownloadRun) {
    guard isCurrent(run), let transfer = running[run.request] else { return }
    // Only throttling concerns the host; the transfer itself continues on its other connections.
    if let failure, case .status(let status, _, _) = failure, status == 429 || status == 503 {
      let retryAfter = failure.retryAfter.map { min($0, settings.network.retryCeiling) }
      reportFailure(transfer.download.lastHost, transfer, failure, retryAfter)
    }
    send(.segmentEnded(run.request))
  }

  /// Records that a transfer has returned a connection of which it can make no use.
  func segmentRefused(of run: DownloadRun) {
    guard isCurrent(run) else { return }
    send(.segmentRefused(run.request))
  }

  /// Whether the run has not ended; the reports of an earlier run of the request are ignored.
  private func isCurrent(_ run: DownloadRun) -> Bool {
    running[run.request]?.number == run.number
  }
}
