import Models

/// The counts that both adapters keep: records, and what is active in them. No lock, no clock.
struct ProgressBook {
  struct RecordEntry {
    var title: String
    var total: Int
    var finished: Int
    var failed: Int
    var active: Set<ResourceID> = []
    /// Bytes of transfers that have ended.
    var endedBytes: Int64 = 0
  }

  struct ActiveEntry {
    let record: RecordID
    let label: String
    let counter: TransferCounter
    var stage = ResourceStage.downloading
  }

  private(set) var order: [RecordID] = []
  private(set) var records: [RecordID: RecordEntry] = [:]
  private(set) var active: [ResourceID: ActiveEntry] = [:]
  /// Bytes of transfers that have ended.
  private var endedBytes: Int64 = 0
  private var settledCount = 0
  private var byteRate = RateEstimator()
  private var settleRate = RateEstimator(window: 10)

  mutating func addRecord(
    _ id: RecordID, title: String, total: Int, finished: Int, failed: Int
  ) {
    if records[id] == nil { order.append(id) }
    records[id] = RecordEntry(
      title: title, total: total, finished: finished, failed: failed,
      active: records[id]?.active ?? [], endedBytes: records[id]?.endedBytes ?? 0)
  }

  /// - Returns: what was active in it.
  mutating func removeRecord(_ id: RecordID) -> Set<ResourceID> {
    guard let entry = records.removeValue(forKey: id) else { return [] }
    order.removeAll { $0 == id }
    for resource in entry.active { active[resource] = nil }
    return entry.active
  }

  /// nil if the resource is active already.
  mutating func begin(_ id: ResourceID, in record: RecordID, label: String) -> TransferCounter? {
    guard active[id] == nil else { return nil }
    let counter = TransferCounter()
    active[id] = ActiveEntry(record: record, label: label, counter: counter)
    records[record]?.active.insert(id)
    return counter
  }

  mutating func stage(_ id: ResourceID, _ stage: ResourceStage) {
    active[id]?.stage = stage
  }

  @discardableResult
  mutating func end(_ id: ResourceID) -> ActiveEntry? {
    guard let entry = active.removeValue(forKey: id) else { return nil }
    records[entry.record]?.active.remove(id)
    records[entry.record]?.endedBytes += entry.counter.received
    endedBytes += entry.counter.received
    return entry
  }

  mutating func settle(_ id: ResourceID, failed: Bool) {
    guard let entry = end(id) else { return }
    settledCount += 1
    if failed {
      records[entry.record]?.failed += 1
    } else {
      records[entry.record]?.finished += 1
    }
  }

  /// - Parameters:
  ///   - fraction: of a record, 0...1.
  ///   - time: seconds on a monotonic clock.
  mutating func snapshot(
    at time: Double, libraryFraction: Double, fraction: (RecordID) -> Double
  ) -> LibraryProgress {
    var progress = LibraryProgress()
    progress.records = order.compactMap { id in
      records[id].map { summary(id, $0, fraction: fraction(id)) }
    }
    progress.active = active.map { id, entry in
      ActiveResource(
        id: id, record: entry.record, label: entry.label, activity: activity(entry))
    }.sorted { $0.id < $1.id }
    progress.receivedBytes =
      endedBytes + active.values.reduce(0) { $0 + $1.counter.received }
    let left = records.values.reduce(0) { $0 + max(0, $1.total - $1.finished - $1.failed) }
    progress.fraction = left > 0 ? min(libraryFraction, 0.9999) : 1
    byteRate.note(Double(progress.receivedBytes), at: time)
    settleRate.note(Double(settledCount), at: time)
    progress.bytesPerSecond = byteRate.perSecond
    if left > 0, settleRate.perSecond > 0 {
      progress.secondsLeft = Double(left) / settleRate.perSecond
    }
    return progress
  }

  private func activity(_ entry: ActiveEntry) -> ResourceActivity {
    switch entry.stage {
    case .downloading:
      .downloading(received: entry.counter.received, expected: entry.counter.expected)
    case .unzipping: .unzipping
    case .rendering: .rendering
    }
  }

  private func summary(_ id: RecordID, _ entry: RecordEntry, fraction: Double) -> RecordProgress {
    var counts = ActivityCounts()
    var bytes = entry.endedBytes
    for resource in entry.active {
      guard let active = active[resource] else { continue }
      bytes += active.counter.received
      switch active.stage {
      case .downloading: counts.downloading += 1
      case .unzipping: counts.unzipping += 1
      case .rendering: counts.rendering += 1
      }
    }
    let isWhole = entry.finished + entry.failed >= entry.total
    return RecordProgress(
      id: id, title: entry.title, total: entry.total, finished: entry.finished,
      failed: entry.failed, activity: counts, fraction: isWhole ? 1 : min(fraction, 0.9999),
      receivedBytes: bytes)
  }
}

extension ProgressBook.ActiveEntry {
  /// How much of the resource is done, of 100, for what its stage and its bytes say.
  var units: Int64 {
    let before = ResourceStage.allCases.filter { $0 < stage }.reduce(0) { $0 + $1.weight }
    guard stage == .downloading else { return before }
    return Int64(Double(stage.weight) * counter.fraction)
  }
}
