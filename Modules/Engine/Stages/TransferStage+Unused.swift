import Models

/// The requests whose partial files others may delete or move.
extension TransferStage {
  /// Whether the partial file of the request is unused: no job or paused record needs it, and no transfer
  /// or commit is using it.
  func isFree(_ request: RequestKey) -> Bool {
    isUnwanted(request) && !commits.hasUncommittedChange(of: request)
      && !partialFiles.isKept(request)
  }

  /// Whether no job waits for the request, and no transfer of it runs.
  func isUnwanted(_ request: RequestKey) -> Bool {
    !scheduler.wants(request) && !isRunning(request)
  }
}
