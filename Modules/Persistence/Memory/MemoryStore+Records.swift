public import Models
public import Persistence

extension MemoryStore {
  public func appendRecord(
    _ draft: RecordDraft, at place: InsertPosition
  ) throws(StoreError) -> RecordID {
    try write { () throws(StoreError) in try tables.append(draft, at: place) }
  }

  public func standaloneRecord() throws(StoreError) -> Record? {
    try checkOpen()
    return tables.standalone
  }

  public func standaloneRecord(folder: String) throws(StoreError) -> Record {
    try write { () throws(StoreError) in
      if let known = tables.standalone { return known }
      return try tables.makeStandalone(folder: folder)
    }
  }

  public func records(offset: Int, limit: Int) throws(StoreError) -> [Record] {
    try checkOpen()
    return tables.list.dropFirst(max(0, offset)).prefix(max(0, limit)).map(\.record)
  }

  public func record(_ id: RecordID) throws(StoreError) -> Record? {
    try checkOpen()
    guard let entry = tables.entries[id], entry.isInPlace else { return nil }
    return entry.record
  }

  public func records(of source: SourceID) throws(StoreError) -> [Record] {
    try checkOpen()
    return tables.list.map(\.record).filter { $0.source == source }
  }

  public func firstRecord(of source: SourceID) throws(StoreError) -> RecordID? {
    try records(of: source).map(\.id).min { $0.rawValue < $1.rawValue }
  }

  public func records(titled title: String) throws(StoreError) -> [Record] {
    try checkOpen()
    return tables.list.map(\.record).filter { $0.title.utf8.elementsEqual(title.utf8) }
  }

  public func recordCount() throws(StoreError) -> Int {
    try checkOpen()
    return tables.list.count
  }

  public func totals() throws(StoreError) -> ResourceCounts {
    try checkOpen()
    return tables.list.reduce(into: ResourceCounts()) { $0 += $1.record.counts }
  }

  public func setPaused(_ paused: Bool, record: RecordID) throws(StoreError) {
    try write { () throws(StoreError) in try tables.set(record, paused: paused) }
  }

  public func setPriority(_ priority: RecordPriority, record: RecordID) throws(StoreError) {
    try write { () throws(StoreError) in try tables.set(record, priority: priority) }
  }

  public func markRemoved(
    _ record: RecordID, keepingFiles keepsFiles: Bool
  ) throws(StoreError) {
    try write { () throws(StoreError) in
      guard tables.entries[record] != nil else { throw Tables.notFound("record \(record)") }
      tables.hide(record, keepingFiles: keepsFiles)
    }
  }

  public func keepsFiles(ofRemoved record: RecordID) throws(StoreError) -> Bool {
    try checkOpen()
    return tables.entries[record].map { $0.isRemoved && $0.keepsFiles } ?? false
  }

  public func markAllRemoved() throws(StoreError) {
    try write { () throws(StoreError) in
      for record in tables.entries.keys { tables.hide(record) }
    }
  }

  public func removedRecords() throws(StoreError) -> [Record] {
    try checkOpen()
    return tables.entries.values.filter(\.isRemoved).map(\.record).sorted { $0.id < $1.id }
  }

  public func resources(
    ofRemoved record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource] {
    try checkOpen()
    guard let entry = tables.entries[record], entry.isRemoved else { return [] }
    let start = after.flatMap { entry.resources.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    return entry.resources.dropFirst(start).prefix(max(0, limit))
      .compactMap { tables.resources[$0] }
  }

  public func removeRows(of record: RecordID, limit: Int) throws(StoreError) -> Bool {
    try write { () throws(StoreError) in tables.removeRows(of: record, limit: limit) }
  }

  public func removeAll() throws(StoreError) {
    try write { () throws(StoreError) in tables = tables.emptied() }
  }
}
