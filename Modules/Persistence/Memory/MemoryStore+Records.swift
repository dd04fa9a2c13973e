public import Models
public import Persistence

extension MemoryStore {
  public func beginSource(_ draft: SourceDraft) throws(StoreError) -> SourceID {
    try checkOpen()
    lastSource += 1
    let id = SourceID(lastSource)
    sources[id] = Source(row: SourceRow(id: id, key: draft.key, location: draft.location))
    return id
  }

  public func completeSource(_ id: SourceID) throws(StoreError) {
    try checkOpen()
    guard let source = sources[id] else {
      throw StoreError(.notFound, "there is no source \(id)")
    }
    guard !source.isComplete else { return }
    sources[id]?.isComplete = true
    for record in entries.values.map(\.record).filter({ $0.source == id }).map(\.id).sorted() {
      let position = nextPosition
      entries[record]?.position = position
    }
  }

  public func discardSource(_ id: SourceID) throws(StoreError) {
    try checkOpen()
    for entry in entries.values where entry.record.source == id {
      try removeRecord(entry.record.id)
    }
    sources[id] = nil
  }

  public func source(key: String) throws(StoreError) -> SourceRow? {
    try checkOpen()
    let rows = sources.values.filter { $0.isComplete && $0.row.key == key }.map(\.row)
    return rows.max { $0.id.rawValue < $1.id.rawValue }
  }

  public func incompleteSources() throws(StoreError) -> [SourceRow] {
    try checkOpen()
    let rows = sources.values.filter { !$0.isComplete }.map(\.row)
    return rows.sorted { $0.id.rawValue < $1.id.rawValue }
  }

  public func appendRecord(_ draft: RecordDraft) throws(StoreError) -> RecordID {
    try checkOpen()
    guard let source = sources[draft.source] else {
      throw StoreError(.notFound, "there is no source \(draft.source)")
    }
    let key = SafeName.foldingKey(draft.folder)
    guard !entries.values.contains(where: { SafeName.foldingKey($0.record.folder) == key }) else {
      throw StoreError(.folderTaken, "the folder \"\(draft.folder)\" belongs to another record")
    }
    lastRecord += 1
    let id = RecordID(lastRecord)
    let record = Record(id: id, source: draft.source, title: draft.title, folder: draft.folder)
    entries[id] = Entry(record: record, position: source.isComplete ? nextPosition : nil)
    return id
  }

  public func records(offset: Int, limit: Int) throws(StoreError) -> [Record] {
    try checkOpen()
    return list.dropFirst(max(0, offset)).prefix(max(0, limit)).map(\.record)
  }

  public func record(_ id: RecordID) throws(StoreError) -> Record? {
    try checkOpen()
    guard let entry = entries[id], entry.position != nil else { return nil }
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
    try checkOpen()
    guard entries[record] != nil else {
      throw StoreError(.notFound, "there is no record \(record)")
    }
    entries[record]?.record.isPaused = paused
  }

  public func removeRecord(_ id: RecordID) throws(StoreError) {
    try checkOpen()
    for resource in entries[id]?.resources ?? [] {
      resources[resource] = nil
      partialDownloads[resource] = nil
      pagesOfResources[resource] = nil
    }
    entries[id] = nil
  }

  public func removeAll() throws(StoreError) {
    try checkOpen()
    sources = [:]
    entries = [:]
    resources = [:]
    partialDownloads = [:]
    pagesOfResources = [:]
  }

  private var nextPosition: Int { (entries.values.compactMap(\.position).max() ?? 0) + 1 }
}
