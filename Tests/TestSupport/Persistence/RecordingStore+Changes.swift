public import Models
public import Persistence

extension RecordingStore {
  public func beginSource(_ draft: SourceDraft) throws(StoreError) -> SourceID {
    try write("beginSource") { store throws(StoreError) in try store.beginSource(draft) }
  }

  public func completeSource(_ id: SourceID) throws(StoreError) {
    log.note(.other("completeSource"))
    try write("completeSource") { store throws(StoreError) in try store.completeSource(id) }
  }

  public func setState(_ state: SourceState, of source: SourceID) throws(StoreError) {
    try write("note") { store throws(StoreError) in try store.setState(state, of: source) }
  }

  public func setOptions(_ options: String?, of source: SourceID) throws(StoreError) {
    try write("note") { store throws(StoreError) in try store.setOptions(options, of: source) }
  }

  public func discardSource(_ id: SourceID) throws(StoreError) {
    log.note(.other("discardSource"))
    try write("discardSource") { store throws(StoreError) in try store.discardSource(id) }
  }

  public func appendRecord(
    _ draft: RecordDraft, at place: InsertPosition
  ) throws(StoreError) -> RecordID {
    try write("appendRecord") { store throws(StoreError) in
      try store.appendRecord(draft, at: place)
    }
  }

  public func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID, at place: InsertPosition
  ) throws(StoreError) -> ResourceIDRange {
    try write("insertResources") { store throws(StoreError) in
      try store.insertResources(drafts, into: record, at: place)
    }
  }

  public func standaloneRecord(folder: String) throws(StoreError) -> Record {
    try write("standaloneRecord") { store throws(StoreError) in
      try store.standaloneRecord(folder: folder)
    }
  }

  public func setPaused(_ paused: Bool, record: RecordID) throws(StoreError) {
    try write("setPaused") { store throws(StoreError) in
      try store.setPaused(paused, record: record)
    }
  }

  public func setPriority(_ priority: RecordPriority, record: RecordID) throws(StoreError) {
    try write("setPriority") { store throws(StoreError) in
      try store.setPriority(priority, record: record)
    }
  }

  public func removeRows(of record: RecordID, limit: Int) throws(StoreError) -> Bool {
    try write("removeRows") { store throws(StoreError) in
      try store.removeRows(of: record, limit: limit)
    }
  }

  public func removeAll() throws(StoreError) {
    try write("removeAll") { store throws(StoreError) in try store.removeAll() }
  }

  public func apply(_ changes: [ResourceChange]) throws(StoreError) {
    log.note(.apply(changes))
    try write("apply", changes) { store throws(StoreError) in
      try store.apply(changes)
      applied += 1
    }
  }

  public func markRemoved(
    _ record: RecordID, keepingFiles keepsFiles: Bool
  ) throws(StoreError) {
    log.note(.other("markRemoved"))
    try write("markRemoved") { store throws(StoreError) in
      try store.markRemoved(record, keepingFiles: keepsFiles)
    }
  }

  public func markAllRemoved() throws(StoreError) {
    try write("markAllRemoved") { store throws(StoreError) in try store.markAllRemoved() }
  }

  public func beginChange(_ verb: RecordVerb, of record: RecordID) throws(StoreError) {
    try write("begin") { store throws(StoreError) in try store.beginChange(verb, of: record) }
  }

  public func advance(_ record: RecordID, limit: Int) throws(StoreError) -> Int? {
    log.note(.other("advance"))
    return try write("advance") { store throws(StoreError) in
      try store.advance(record, limit: limit)
    }
  }

  public func use(_ entries: [CacheEntry], in cache: CacheName) throws(StoreError) {
    try write("use") { store throws(StoreError) in try store.use(entries, in: cache) }
  }

  public func touch(_ names: [String], in cache: CacheName) throws(StoreError) {
    try write("touch") { store throws(StoreError) in try store.touch(names, in: cache) }
  }

  public func removeEntries(_ names: [String], in cache: CacheName) throws(StoreError) {
    try write("forget") { store throws(StoreError) in try store.removeEntries(names, in: cache) }
  }

  public func setPageWork(_ work: [PageWork]) throws(StoreError) {
    try write("setPageWork") { store throws(StoreError) in try store.setPageWork(work) }
  }

  public func setLibraryState(_ state: LibraryState) throws(StoreError) {
    try write("setLibraryState") { store throws(StoreError) in try store.setLibraryState(state) }
  }
}
