import Models

extension RecordProgress {
  /// The state of the record in words, the same in all programs (DL2).
  /// - Parameter cancelled: The number of resources counted as failed that the user has cancelled.
  public func statusText(
    isPaused: Bool = false, isOnDemand: Bool = false, cancelled: Int = 0
  ) -> String {
    var counts = ResourceCounts()
    counts.finished = finished
    counts.failed = failed
    counts.queued = max(0, total - settled)
    return StatusText.record(
      counts, activity: activity, isPaused: isPaused, isOnDemand: isOnDemand, cancelled: cancelled)
  }
}
