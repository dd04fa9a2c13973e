import Glibc
import Models
import ProgressTree

/// Estimates the rate of each record from successive snapshots. The caller passes the time.
struct RecordRates {
  private struct Entry {
    var time: Double
    var bytes: Int64
    var settled: Int
    var bytesPerSecond = 0.0
    var resourcesPerSecond = 0.0
  }

  private var entries: [RecordID: Entry] = [:]

  /// The time constant of the average in seconds, after which the weight of a rate has fallen to 1/e.
  private static let window = 3.0

  mutating func update(with progress: LibraryProgress, at time: Double) {
    var next: [RecordID: Entry] = [:]
    for record in progress.records where record.settled < record.total {
      guard var entry = entries[record.id] else {
        next[record.id] = Entry(
          time: time, bytes: record.bytes, settled: record.settled)
        continue
      }
      let elapsed = time - entry.time
      if elapsed >= 0.05 {
        let weight = 1 - exp(-elapsed / Self.window)
        let bytes = Double(max(0, record.bytes - entry.bytes)) / elapsed
        let settled = Double(max(0, record.settled - entry.settled)) / elapsed
        entry.bytesPerSecond += (bytes - entry.bytesPerSecond) * weight
        entry.resourcesPerSecond += (settled - entry.resourcesPerSecond) * weight
        (entry.time, entry.bytes, entry.settled) = (time, record.bytes, record.settled)
      }
      next[record.id] = entry
    }
    entries = next
  }

  func bytesPerSecond(_ id: RecordID) -> Double { entries[id]?.bytesPerSecond ?? 0 }

  /// The estimated time left in seconds, or nil if the rate is too low for an estimate.
  func secondsLeft(_ record: RecordProgress) -> Double? {
    guard let rate = entries[record.id]?.resourcesPerSecond, rate > 0.01 else { return nil }
    return Double(record.total - record.settled) / rate
  }
}
