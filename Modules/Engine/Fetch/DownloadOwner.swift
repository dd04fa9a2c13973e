import Models

/// Receives the reports and the outcome of a download. The methods are called on any thread and do not
/// block it.
protocol DownloadOwner: AnyObject, Sendable {
  /// Reports the resumable state of a long body, when it becomes worth recording and after each sync.
  func partialFileChanged(_ partial: PartialDownload, of run: DownloadRun)

  /// Returns when the store has no row for the partial file; false if the row cannot be deleted.
  func forgetRow(of request: RequestKey) async -> Bool

  /// Reports the outcome; the last call for a run.
  func transferEnded(_ run: DownloadRun, _ outcome: Download.Outcome)
}

/// Identifies one download among all of an engine's.
struct DownloadRun: Sendable, Hashable {
  let request: RequestKey
  /// A number that no other download of the engine has.
  let number: UInt64
}
