import Models

extension RecordProgress {
  /// The state of the record in words, the same in all programs (DL2).
  public var statusText: String {
    var counts = ResourceCounts()
    counts.finished = finished
    counts.failed = failed
    counts.queued = max(0, total - settled)
    return StatusText.record(counts, activity: activity, isPaused: false)
  }
}
