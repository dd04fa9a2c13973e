import Models

/// The state of a progress tree as plain values, without a lock, a clock or `Progress`.
struct ProgressLedger {
  struct Record {
    var declaredTotal = 0
    var finished = 0
    var failed = 0
    var activity = ActivityCounts()
    var bytes: Int64 = 0

    var settled: Int { finished + failed }
    var active: Int { activity.downloading + activity.unzipping + activity.rendering }
    /// The number of resources, which is at least the number of finished, failed and active ones.
    var total: Int { max(declaredTotal, settled + active) }
  }

  struct Active {
    let record: RecordID
    let label: String
    let counter: TransferCounter
    var stage = ResourceStage.downloading
  }

  struct Suspended {
    let record: RecordID
    /// The completed part in thousandths of the resource.
    let units: Int64
  }

  /// The maximum number of suspended resources in the ledger. The bytes of further suspended resources count
  /// again when their download resumes.
  static let suspendedLimit = 10_000

  private(set) var records = KeyTable<RecordID, Record>()
  private(set) var titles: [RecordID: String] = [:]
  /// The identifiers of all records in ascending order.
  private(set) var order: [RecordID] = []
  private(set) var active = KeyTable<ResourceID, Active>()
  /// Queued resources whose transfer was interrupted and resumes from the bytes on disk.
  private(set) var suspended = KeyTable<ResourceID, Suspended>()
  /// The sums over all records.
  private(set) var sums = Record()
  /// A number that increases whenever a resource begins or ends, or the counts of a record are set.
  private(set) var version: UInt64 = 0
  /// The number and the total size of completed downloads, from which the size of the remaining downloads is
  /// estimated.
  private(set) var downloads = (count: 0, bytes: Int64(0))

  // MARK: - Records

  mutating func addRecord(
    _ id: RecordID, title: String, total: Int, finished: Int, failed: Int
  ) {
    if !records.contains(id) {
      let place = order.partitioningIndex { $0 >= id }
      order.insert(id, at: place)
      records[id] = Record()
    }
    titles[id] = title
    // The new counts may include resources that were suspended.
    forgetSuspended(of: id)
    change(id) { record in
      record.declaredTotal = total
      record.finished = finished
      record.failed = failed
    }
  }

  mutating func removeRecord(_ id: RecordID) {
    for (resource, entry) in active where entry.record == id {
      suspend(resource, keepsBytes: false)
    }
    forgetSuspended(of: id)
    change(id) { record in
      record.declaredTotal = 0
      record.finished = 0
      record.failed = 0
    }
    records[id] = nil
    titles[id] = nil
    order.removeAll { $0 == id }
  }

  /// Changes a record. All changes use this function, which also updates the sums and the version.
  /// - Returns: Whether the record exists.
  @discardableResult
  private mutating func change(_ id: RecordID, _ body: (inout Record) -> Void) -> Bool {
    let change = records.change(id) { record in
      let before = record
      body(&record)
      return (before, record)
    }
    guard let (before, record) = change else { return false }
    sums.declaredTotal += record.total - before.total
    sums.finished += record.finished - before.finished
    sums.failed += record.failed - before.failed
    sums.bytes &+= record.bytes &- before.bytes
    for stage in ResourceStage.allCases {
      sums.activity[stage] += record.activity[stage] - before.activity[stage]
    }
    if (record.total, record.settled, record.active)
      != (before.total, before.settled, before.active)
    {
      version &+= 1
    }
    return true
  }

  // MARK: - Resources

  mutating func activate(
    _ id: ResourceID, in record: RecordID, label: String
  ) -> TransferCounter {
    if let entry = active[id] {
      if entry.record == record { return entry.counter }
      suspend(id, keepsBytes: false)
    }
    suspended.removeValue(forKey: id)
    let entry = Active(record: record, label: label, counter: TransferCounter())
    if change(record, { $0.activity[entry.stage] += 1 }) { active[id] = entry }
    return entry.counter
  }

  mutating func setStage(_ stage: ResourceStage, of id: ResourceID) {
    guard let entry = active[id], entry.stage != stage else { return }
    active.change(id) { $0.stage = stage }
    change(entry.record) { record in
      record.activity[entry.stage] -= 1
      record.activity[stage] += 1
    }
  }

  mutating func complete(_ id: ResourceID, failed: Bool) {
    suspended.removeValue(forKey: id)
    let received = remove(id) { record in
      if failed { record.failed += 1 } else { record.finished += 1 }
    }
    guard let received, received > 0, !failed else { return }
    downloads.count += 1
    downloads.bytes &+= received
  }

  mutating func suspend(_ id: ResourceID, keepsBytes: Bool) {
    if keepsBytes, let entry = active[id], suspended.count < Self.suspendedLimit {
      let units = ProgressUnits.completedUnits(entry)
      if units > 0 { suspended[id] = Suspended(record: entry.record, units: units) }
    }
    remove(id) { _ in }
  }

  private mutating func forgetSuspended(of record: RecordID) {
    let ids = suspended.compactMap { $0.value.record == record ? $0.key : nil }
    for id in ids { suspended.removeValue(forKey: id) }
    if !ids.isEmpty { version &+= 1 }
  }

  /// Removes an active resource and adds its bytes to its record.
  /// - Returns: The number of bytes of its file, or nil if the resource was not active.
  @discardableResult
  private mutating func remove(_ id: ResourceID, _ body: (inout Record) -> Void) -> Int64? {
    guard let entry = active.removeValue(forKey: id) else { return nil }
    let new = entry.counter.drainNewBytes()
    change(entry.record) { record in
      record.activity[entry.stage] -= 1
      record.bytes &+= new
      body(&record)
    }
    return entry.counter.received
  }

  // MARK: - Bytes

  /// Adds the bytes that the transports have counted since the last call to the records.
  mutating func collectBytes() {
    for entry in active.values {
      let new = entry.counter.drainNewBytes()
      if new != 0 { change(entry.record) { $0.bytes &+= new } }
    }
  }
}

extension ActivityCounts {
  subscript(stage: ResourceStage) -> Int {
    get {
      switch stage {
      case .downloading: downloading
      case .unzipping: unzipping
      case .rendering: rendering
      }
    }
    set {
      switch stage {
      case .downloading: downloading = newValue
      case .unzipping: unzipping = newValue
      case .rendering: rendering = newValue
      }
    }
  }
}

extension [RecordID] {
  /// Returns the first index of the sorted array at which the condition holds, or the end index.
  fileprivate func partitioningIndex(_ condition: (RecordID) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
