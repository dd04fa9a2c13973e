import Models

/// Who started a download and is told of it: the engine. Called on any thread; nothing of it blocks.
protocol DownloadOwner: AnyObject, Sendable {
  /// A long body has begun or was synced: how far it is.
  func remember(_ partial: PartialDownload, of run: DownloadRun)

  /// Returns when the store has no row about the partial file; false if that cannot be.
  func forgetRow(of request: RequestKey) async -> Bool

  /// The last that is said of it.
  func ended(_ run: DownloadRun, _ outcome: Download.Outcome)
}

/// One download among all of an engine's.
struct DownloadRun: Sendable, Hashable {
  let request: RequestKey
  /// No other one has it.
  let number: UInt64
}
