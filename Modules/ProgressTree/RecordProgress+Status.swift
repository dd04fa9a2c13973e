import Models

extension RecordProgress {
  /// The text that every program shows (DL2).
  public var statusText: String {
    var counts = ResourceCounts()
    counts.finished = finished
    counts.failed = failed
    counts.queued = max(0, total - settled)
    return StatusText.record(counts, activity: activity, isPaused: false)
  }
}
