public import Models
import Naming
public import Persistence

extension MemoryStore {
  public func appendRecord(
    _ draft: RecordDraft, at place: InsertPosition
  ) throws(StoreError) -> RecordID {
    try write { () throws(StoreError) in
      guard let source = tables.sources[draft.source], !source.isDiscarded else {
        throw Self.notFound("source \(draft.source)")
      }
      let id = try newRecord(folder: draft.folder)
      let record = Record(
        id: id, source: draft.source, title: draft.title, folder: draft.folder,
        isLazy: draft.isLazy)
      tables.entries[id] = Tables.Entry(
        record: record, position: source.isComplete ? newPosition(at: place) : nil)
      return id
    }
  }

  public func looseRecord() throws(StoreError) -> Record? {
    try checkOpen()
    return tables.entries.values.first { $0.isStandalone && !$0.isRemoved }?.record
  }

  public func looseRecord(folder: String) throws(StoreError) -> Record {
    try write { () throws(StoreError) in
      if let known = tables.entries.values.first(where: { $0.isStandalone && !$0.isRemoved }) {
        return known.record
      }
      let id = try newRecord(folder: folder)
      let record = Record(
        id: id, source: SourceID(0), title: folder, folder: folder, isLazy: true)
      tables.entries[id] = Tables.Entry(record: record, isStandalone: true)
      return record
    }
  }

  public func records(offset: Int, limit: Int) throws(StoreError) -> [Record] {
    try checkOpen()
    return list.dropFirst(max(0, offset)).prefix(max(0, limit)).map(\.record)
  }

  public func record(_ id: RecordID) throws(StoreError) -> Record? {
    try checkOpen()
    guard let entry = tables.entries[id], entry.isInPlace else { return nil }
    return entry.record
  }

  public func records(of source: SourceID) throws(StoreError) -> [Record] {
    try checkOpen()
    return list.map(\.record).filter { $0.source == source }
  }

  public func records(titled title: String) throws(StoreError) -> [Record] {
    try checkOpen()
    return list.map(\.record).filter { $0.title.utf8.elementsEqual(title.utf8) }
  }

  public func recordCount() throws(StoreError) -> Int {
    try checkOpen()
    return list.count
  }

  public func totals() throws(StoreError) -> ResourceCounts {
    try checkOpen()
    return list.reduce(into: ResourceCounts()) { $0 += $1.record.counts }
  }

  public func setPaused(_ paused: Bool, record: RecordID) throws(StoreError) {
    try write { () throws(StoreError) in
      guard tables.entries[record] != nil else { throw Self.notFound("record \(record)") }
      tables.entries[record]?.record.isPaused = paused
    }
  }

  public func setPriority(_ priority: RecordPriority, record: RecordID) throws(StoreError) {
    try write { () throws(StoreError) in
      guard tables.entries[record] != nil else { throw Self.notFound("record \(record)") }
      tables.entries[record]?.record.priority = priority
    }
  }

  public func markRemoved(_ record: RecordID) throws(StoreError) {
    try write { () throws(StoreError) in
      guard tables.entries[record] != nil else { throw Self.notFound("record \(record)") }
      hide(record)
    }
  }

  public func markAllRemoved() throws(StoreError) {
    try write { () throws(StoreError) in
      for record in tables.entries.keys { hide(record) }
    }
  }

  func hide(_ record: RecordID) {
    tables.entries[record]?.isRemoved = true
    tables.entries[record]?.position = nil
    tables.verbs[record] = nil
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
    try write { () throws(StoreError) in
      guard let entry = tables.entries[record], entry.isRemoved else { return true }
      let part = entry.resources.prefix(max(1, limit))
      for resource in part.compactMap({ tables.resources[$0] }) {
        leave(resource)
        tables.pagesOfResources[resource.id] = nil
      }
      tables.entries[record]?.resources.removeFirst(part.count)
      guard part.count < max(1, limit) else { return false }
      tables.entries[record] = nil
      let source = entry.record.source
      if tables.sources[source]?.isDiscarded ?? false,
        !tables.entries.values.contains(where: { $0.record.source == source })
      {
        tables.sources[source] = nil
      }
      return true
    }
  }

  public func removeAll() throws(StoreError) {
    try write { () throws(StoreError) in
      var empty = Tables()
      empty.lastSourceID = tables.lastSourceID
      empty.lastRecordID = tables.lastRecordID
      empty.lastResourceID = tables.lastResourceID
      tables = empty
    }
  }

  private func newRecord(folder: String) throws(StoreError) -> RecordID {
    let key = SafeName.foldingKey(folder)
    let folders = tables.entries.values.lazy.map(\.record.folder)
    guard !folders.contains(where: { SafeName.foldingKey($0) == key }) else {
      throw StoreError(.folderTaken, "the folder \"\(folder)\" belongs to another record")
    }
    tables.lastRecordID += 1
    return RecordID(tables.lastRecordID)
  }

  func newPosition(at place: InsertPosition) -> Int {
    let positions = tables.entries.values.compactMap(\.position)
    return switch place {
    case .end: (positions.max() ?? 0) + 1
    case .top: (positions.min() ?? 2) - 1
    }
  }
}
