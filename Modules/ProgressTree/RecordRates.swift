public import Models

/// The transfer rates and remaining times of records, derived from successive snapshots. The caller passes the time.
public struct RecordRates: Sendable {
  private struct Entry: Sendable {
    var bytes = RateEstimator()
    /// The rate of completion in thousandths of a per cent per second, to estimate the remaining time.
    var completion = RateEstimator(window: 8)
  }

  private var entries: [RecordID: Entry] = [:]

  public init() {}

  /// Adds a snapshot. Records that are complete, or that it does not contain, are forgotten.
  /// - Parameter now: The time in seconds on a monotonic clock.
  public mutating func update(_ records: some Sequence<RecordProgress>, at now: Double) {
    let earlier = entries
    entries = [:]
    for record in records where record.settled < record.total {
      var entry = earlier[record.id] ?? Entry()
      entry.bytes.observe(record.bytes, at: now)
      entry.completion.observe(Int64(record.fraction * 1e5), at: now)
      entries[record.id] = entry
    }
  }

  public func bytesPerSecond(_ id: RecordID) -> Double { entries[id]?.bytes.bytesPerSecond ?? 0 }

  /// Returns the estimated remaining time in seconds; nil while there is no rate to estimate it from.
  public func secondsLeft(_ record: RecordProgress) -> Double? {
    guard let rate = entries[record.id]?.completion.bytesPerSecond, rate > 1 else { return nil }
    return (1 - record.fraction) * 1e5 / rate
  }
}
