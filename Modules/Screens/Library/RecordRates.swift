import Models
import ProgressTree

/// How fast records go, from one snapshot to the next. Pure.
struct RecordRates: Sendable {
  private struct Entry: Sendable {
    var bytes = RateEstimator()
    /// Thousandths of a per cent, for the time that is left.
    var done = RateEstimator(window: 8)
  }

  private var entries: [RecordID: Entry] = [:]

  mutating func note(_ records: [RecordID: RecordProgress], at now: Double) {
    entries = entries.filter { records[$0.key] != nil }
    for (id, progress) in records where progress.settled < progress.total {
      var entry = entries[id] ?? Entry()
      entry.bytes.observe(progress.bytes, at: now)
      entry.done.observe(Int64(progress.fraction * 1e5), at: now)
      entries[id] = entry
    }
  }

  func bytesPerSecond(_ id: RecordID) -> Double { entries[id]?.bytes.bytesPerSecond ?? 0 }

  /// nil while there is nothing to go by.
  func secondsLeft(_ progress: RecordProgress) -> Double? {
    guard let rate = entries[progress.id]?.done.bytesPerSecond, rate > 1 else { return nil }
    return (1 - progress.fraction) * 1e5 / rate
  }
}
