import Models

/// Receives the reports and the outcome of a download. The methods are called on any thread and do not
/// block it.
protocol DownloadOwner: AnyObject, Sendable {
  /// Reports the resumable state of a long body, when it becomes worth recording and after each sync.
  func partialFileChanged(_ partial: PartialDownload, of run: DownloadRun)

  /// Deletes the store's row for the partial file, and returns when it is deleted; false if it cannot be.
  func forgetRow(of request: RequestKey) async -> Bool

  /// Writes the store's row for the partial file, and returns when it is written; false if it cannot be.
  func replaceRow(of request: RequestKey, by partial: PartialDownload) async -> Bool

  /// Reports the outcome of a run, after all other reports of the run.
  func transferEnded(_ run: DownloadRun, _ outcome: Download.Outcome)

  /// Requests further connections for a large file; the owner grants each by `Download.addConnection`.
  /// - Parameter count: The number of connections that are of use besides the first one. It replaces the
  ///   number of an earlier call.
  func segmentsWanted(_ count: Int, of run: DownloadRun)

  /// Reports that one of the granted connections is no longer used.
  /// - Parameter failure: The reason, if the request failed while others continue.
  func segmentEnded(_ failure: DownloadFailure?, of run: DownloadRun)

  /// Returns a granted connection of which the transfer can make no use. It wants none until the next
  /// `segmentsWanted`, also if an earlier call of that is still on its way.
  func segmentRefused(of run: DownloadRun)
}

/// An owner that grants no further connections needs no methods for them.
extension DownloadOwner {
  func segmentsWanted(_ count: Int, of run: DownloadRun) {}
  func segmentEnded(_ failure: DownloadFailure?, of run: DownloadRun) {}
  func segmentRefused(of run: DownloadRun) {}
}

/// Identifies one `Download` among all those of an engine.
struct DownloadRun: Sendable, Hashable {
  let request: RequestKey
  /// A number that no other download of the engine has.
  let number: UInt64
}
