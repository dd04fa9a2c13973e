import Models

/// Receives the reports and the outcome of a download. The methods are called on any thread and do not
/// block it.
protocol DownloadOwner: AnyObject, Sendable {
  /// Reports the resumable state of a long body, when it becomes worth recording and after each sync.
  func partialFileChanged(_ partial: PartialDownload, of run: DownloadRun)

  /// Deletes the store's row for the partial file, and returns when it is deleted; false if it cannot be.
  func forgetRow(of request: RequestKey) async -> Bool

  /// Reports the outcome of a run, after all other reports of the run.
  func transferEnded(_ run: DownloadRun, _ outcome: Download.Outcome)
}

/// Identifies one `Download` among all those of an engine.
struct DownloadRun: Sendable, Hashable {
  let request: RequestKey
  /// A number that no other download of the engine has.
  let number: UInt64
}
