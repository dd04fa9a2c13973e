public import Models
import Naming
public import Persistence

extension MemoryStore {
  public func appendRecord(
    _ draft: RecordDraft, at place: ListPlace
  ) throws(StoreError) -> RecordID {
    try checkOpen()
    guard let source = sources[draft.source] else {
      throw Self.notFound("source \(draft.source)")
    }
    let id = try newRecord(folder: draft.folder)
    let record = Record(
      id: id, source: draft.source, title: draft.title, folder: draft.folder,
      isLazy: draft.isLazy)
    entries[id] = Entry(
      record: record, position: source.isComplete ? newPosition(at: place) : nil)
    return id
  }

  public func looseRecord() throws(StoreError) -> Record? {
    try checkOpen()
    return entries.values.first(where: \.isLoose)?.record
  }

  public func looseRecord(folder: String) throws(StoreError) -> Record {
    try checkOpen()
    if let known = entries.values.first(where: \.isLoose) { return known.record }
    let id = try newRecord(folder: folder)
    let record = Record(
      id: id, source: SourceID(0), title: folder, folder: folder, isLazy: true)
    entries[id] = Entry(record: record, isLoose: true)
    return record
  }

  public func records(offset: Int, limit: Int) throws(StoreError) -> [Record] {
    try checkOpen()
    return list.dropFirst(max(0, offset)).prefix(max(0, limit)).map(\.record)
  }

  public func record(_ id: RecordID) throws(StoreError) -> Record? {
    try checkOpen()
    guard let entry = entries[id], entry.isInPlace else { return nil }
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
    guard entries[record] != nil else { throw Self.notFound("record \(record)") }
    entries[record]?.record.isPaused = paused
  }

  public func setPriority(_ priority: RecordPriority, record: RecordID) throws(StoreError) {
    try checkOpen()
    guard entries[record] != nil else { throw Self.notFound("record \(record)") }
    entries[record]?.record.priority = priority
  }

  public func removeRecord(_ id: RecordID) throws(StoreError) {
    try checkOpen()
    for resource in entries[id]?.resources.compactMap({ resources[$0] }) ?? [] {
      leave(resource)
      pagesOfResources[resource.id] = nil
    }
    entries[id] = nil
  }

  public func removeAll() throws(StoreError) {
    try checkOpen()
    state = LibraryState()
    sources = [:]
    entries = [:]
    resources = [:]
    partialDownloads = [:]
    pagesOfResources = [:]
    answering = [:]
    holding = [:]
    books = [:]
    workOnPages = [:]
  }

  private func newRecord(folder: String) throws(StoreError) -> RecordID {
    let key = SafeName.foldingKey(folder)
    guard !entries.values.contains(where: { SafeName.foldingKey($0.record.folder) == key }) else {
      throw StoreError(.folderTaken, "the folder \"\(folder)\" belongs to another record")
    }
    lastRecordID += 1
    return RecordID(lastRecordID)
  }

  func newPosition(at place: ListPlace) -> Int {
    let positions = entries.values.compactMap(\.position)
    return switch place {
    case .end: (positions.max() ?? 0) + 1
    case .top: (positions.min() ?? 2) - 1
    }
  }
}
