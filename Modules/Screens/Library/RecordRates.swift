import Models
import ProgressTree

/// The transfer rates and remaining times of the records, derived from successive snapshots.
struct RecordRates: Sendable {
  private struct Entry: Sendable {
    var bytes = RateEstimator()
    /// The rate of completion in thousandths of a per cent per second, to estimate the remaining time.
    var completionRate = RateEstimator(window: 8)
  }

  private var entries: [RecordID: Entry] = [:]

  mutating func update(_ records: [RecordID: RecordProgress], at now: Double) {
    entries = entries.filter { records[$0.key] != nil }
    for (id, progress) in records where progress.settled < progress.total {
      var entry = entries[id] ?? Entry()
      entry.bytes.observe(progress.bytes, at: now)
      entry.completionRate.observe(Int64(progress.fraction * 1e5), at: now)
      entries[id] = entry
    }
  }

  func bytesPerSecond(_ id: RecordID) -> Double { entries[id]?.bytes.bytesPerSecond ?? 0 }

  /// Returns the estimated remaining time in seconds; nil while there is no rate to estimate it from.
  func secondsLeft(_ progress: RecordProgress) -> Double? {
    guard let rate = entries[progress.id]?.completionRate.bytesPerSecond, rate > 1 else {
      return nil
    }
    return (1 - progress.fraction) * 1e5 / rate
  }
}
