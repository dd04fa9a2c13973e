import Models

extension ProgressLedger {
  /// - Parameter nodes: The tree of `Progress` that computes the fractions; nil to compute them from the
  ///   counts.
  func snapshot(
    of selection: RecordSelection, bytesPerSecond: Double, nodes: FoundationNodes?
  ) -> LibraryProgress {
    var done: [RecordID: Int64] = [:]
    for entry in active.values {
      done[entry.record, default: 0] += ProgressUnits.completedUnits(entry)
    }
    for entry in suspended.values { done[entry.record, default: 0] += entry.units }
    var progress = LibraryProgress()
    progress.total = sums.total
    progress.finished = sums.finished
    progress.failed = sums.failed
    progress.activity = sums.activity
    progress.bytes = sums.bytes
    progress.bytesPerSecond = bytesPerSecond
    progress.secondsLeft = secondsLeft(bytesPerSecond)
    progress.fraction =
      sums.total == 0
      ? 0 : nodes?.fraction ?? Self.fraction(sums, done.values.reduce(0, +))
    progress.records = ids(selection).compactMap { id in
      records[id].map { record in
        RecordProgress(
          id: id, title: titles[id] ?? "", total: record.total, finished: record.finished,
          failed: record.failed, activity: record.activity,
          fraction: nodes?.fraction(of: id) ?? Self.fraction(record, done[id] ?? 0),
          bytes: record.bytes)
      }
    }
    progress.active = active.map { ActiveResource(id: $0.key, $0.value) }
      .sorted { ($0.record, $0.id) < ($1.record, $1.id) }
    return progress
  }

  /// - Parameter done: The completed units of the active and the suspended resources.
  private static func fraction(_ record: Record, _ done: Int64) -> Double {
    guard record.total > 0 else { return 0 }
    let settled = Int64(record.settled) * ProgressUnits.resource
    return Double(settled + done) / Double(Int64(record.total) * ProgressUnits.resource)
  }

  private func ids(_ selection: RecordSelection) -> [RecordID] {
    switch selection {
    case .all: order
    case .active: Set(active.values.map(\.record)).sorted()
    case .only(let wanted): wanted.sorted()
    }
  }

  /// Returns the estimated remaining time in seconds: the missing bytes divided by the rate. A resource of
  /// unknown length counts with the mean length of the resources whose length is known.
  private func secondsLeft(_ bytesPerSecond: Double) -> Double? {
    guard bytesPerSecond >= 1 else { return nil }
    let transfers = active.values.filter { $0.stage == .downloading }
    let known = transfers.compactMap(\.counter.expected)
    let count = downloads.count + known.count
    let bytes = known.reduce(Double(downloads.bytes)) { $0 + Double($1) }
    let mean = bytes / Double(max(1, count))
    var left = Double(max(0, sums.total - sums.settled - sums.active)) * mean
    for transfer in transfers {
      let expected = transfer.counter.expected.map(Double.init) ?? mean
      left += max(0, expected - Double(transfer.counter.received))
    }
    return left > 0 ? left / bytesPerSecond : nil
  }
}

extension ActiveResource {
  fileprivate init(id: ResourceID, _ entry: ProgressLedger.Active) {
    let activity: ResourceActivity =
      switch entry.stage {
      case .downloading:
        .downloading(received: entry.counter.received, expected: entry.counter.expected)
      case .unzipping: .unzipping
      case .rendering: .rendering
      }
    self.init(
      id: id, record: entry.record, label: entry.label, activity: activity,
      dimensions: entry.counter.dimensions,
      connections: entry.stage == .downloading ? entry.counter.connections : nil)
  }
}
