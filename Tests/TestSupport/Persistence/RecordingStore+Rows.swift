public import Models
public import Persistence

// Sources
extension RecordingStore {
  @concurrent
  public func beginSource(_ draft: SourceDraft) async throws(StoreError) -> SourceID {
    try await write("beginSource") { () async throws(StoreError) in
      try await inner.beginSource(draft)
    }
  }

  @concurrent
  public func completeSource(_ id: SourceID) async throws(StoreError) {
    note(.other("completeSource"))
    try await write("completeSource") { () async throws(StoreError) in
      try await inner.completeSource(id)
    }
  }

  @concurrent
  public func note(_ state: SourceState, of source: SourceID) async throws(StoreError) {
    try await write("note") { () async throws(StoreError) in
      try await inner.note(state, of: source)
    }
  }

  @concurrent
  public func discardSource(_ id: SourceID) async throws(StoreError) {
    note(.other("discardSource"))
    try await write("discardSource") { () async throws(StoreError) in
      try await inner.discardSource(id)
    }
  }

  @concurrent
  public func source(_ id: SourceID) async throws(StoreError) -> SourceRow? {
    try await read("source") { () async throws(StoreError) in
      try await inner.source(id)
    }
  }

  @concurrent
  public func source(key: String) async throws(StoreError) -> SourceRow? {
    try await read("source(key:)") { () async throws(StoreError) in
      try await inner.source(key: key)
    }
  }

  @concurrent
  public func incompleteSources() async throws(StoreError) -> [SourceRow] {
    try await read("incompleteSources") { () async throws(StoreError) in
      try await inner.incompleteSources()
    }
  }
}

// Records
extension RecordingStore {
  @concurrent
  public func appendRecord(
    _ draft: RecordDraft, at place: ListPlace
  ) async throws(StoreError) -> RecordID {
    try await write("appendRecord") { () async throws(StoreError) in
      try await inner.appendRecord(draft, at: place)
    }
  }

  @concurrent
  public func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID, at place: ListPlace
  ) async throws(StoreError) -> ResourceIDRange {
    try await write("insertResources") { () async throws(StoreError) in
      try await inner.insertResources(drafts, into: record, at: place)
    }
  }

  @concurrent
  public func looseRecord() async throws(StoreError) -> Record? {
    try await read("looseRecord") { () async throws(StoreError) in
      try await inner.looseRecord()
    }
  }

  @concurrent
  public func looseRecord(folder: String) async throws(StoreError) -> Record {
    try await write("looseRecord") { () async throws(StoreError) in
      try await inner.looseRecord(folder: folder)
    }
  }

  @concurrent
  public func records(offset: Int, limit: Int) async throws(StoreError) -> [Record] {
    try await read("records") { () async throws(StoreError) in
      try await inner.records(offset: offset, limit: limit)
    }
  }

  @concurrent
  public func record(_ id: RecordID) async throws(StoreError) -> Record? {
    try await read("record") { () async throws(StoreError) in
      try await inner.record(id)
    }
  }

  @concurrent
  public func records(of source: SourceID) async throws(StoreError) -> [Record] {
    try await read("records(of:)") { () async throws(StoreError) in
      try await inner.records(of: source)
    }
  }

  @concurrent
  public func records(titled title: String) async throws(StoreError) -> [Record] {
    try await read("records(titled:)") { () async throws(StoreError) in
      try await inner.records(titled: title)
    }
  }

  @concurrent
  public func recordCount() async throws(StoreError) -> Int {
    try await read("recordCount") { () async throws(StoreError) in
      try await inner.recordCount()
    }
  }

  @concurrent
  public func totals() async throws(StoreError) -> ResourceCounts {
    try await read("totals") { () async throws(StoreError) in
      try await inner.totals()
    }
  }

  @concurrent
  public func setPaused(_ paused: Bool, record: RecordID) async throws(StoreError) {
    try await write("setPaused") { () async throws(StoreError) in
      try await inner.setPaused(paused, record: record)
    }
  }

  @concurrent
  public func setPriority(_ priority: RecordPriority, record: RecordID) async throws(StoreError) {
    try await write("setPriority") { () async throws(StoreError) in
      try await inner.setPriority(priority, record: record)
    }
  }

  @concurrent
  public func removeRecord(_ id: RecordID) async throws(StoreError) {
    try await write("removeRecord") { () async throws(StoreError) in
      try await inner.removeRecord(id)
    }
  }

  @concurrent
  public func removeAll() async throws(StoreError) {
    try await write("removeAll") { () async throws(StoreError) in
      try await inner.removeAll()
    }
  }
}

// Resources
extension RecordingStore {
  @concurrent
  public func resource(_ id: ResourceID) async throws(StoreError) -> Resource? {
    try await read("resource") { () async throws(StoreError) in
      try await inner.resource(id)
    }
  }

  @concurrent
  public func resources(
    of record: RecordID, offset: Int, limit: Int
  ) async throws(StoreError) -> [Resource] {
    try await read("resources(of:)") { () async throws(StoreError) in
      try await inner.resources(of: record, offset: offset, limit: limit)
    }
  }

  @concurrent
  public func resources(
    in state: ResourceState, of priority: RecordPriority?, after: ResourceID?, limit: Int
  ) async throws(StoreError) -> [Resource] {
    try checkAlive()
    let found = try await inner.resources(in: state, of: priority, after: after, limit: limit)
    note(.window(state, of: priority, after: after, limit: limit, found: found.count))
    try checkAlive()
    return found
  }

  @concurrent
  public func lastResource() async throws(StoreError) -> ResourceID {
    try await read("lastResource") { () async throws(StoreError) in
      try await inner.lastResource()
    }
  }

  @concurrent
  public func apply(_ changes: [ResourceChange], durable: Bool) async throws(StoreError) {
    note(.apply(changes, durable: durable))
    try await write("apply", changes) { () async throws(StoreError) in
      try await inner.apply(changes, durable: durable)
    }
    appliedCount.update { $0 += 1 }
  }

  @concurrent
  public func requeueFailed(of record: RecordID?) async throws(StoreError) -> Int {
    note(.other("requeueFailed"))
    return try await write("requeueFailed") { () async throws(StoreError) in
      try await inner.requeueFailed(of: record)
    }
  }

  @concurrent
  public func processAgain(
    of record: RecordID?, failedWith reason: String
  ) async throws(StoreError) -> Int {
    note(.other("processAgain"))
    return try await write("processAgain") { () async throws(StoreError) in
      try await inner.processAgain(of: record, failedWith: reason)
    }
  }

  @concurrent
  public func requeueAll(of record: RecordID) async throws(StoreError) -> Int {
    note(.other("requeueAll"))
    return try await write("requeueAll") { () async throws(StoreError) in
      try await inner.requeueAll(of: record)
    }
  }

  @concurrent
  public func giveUpQueued(of record: RecordID, reason: String) async throws(StoreError) -> Int {
    note(.other("giveUpQueued"))
    return try await write("giveUpQueued") { () async throws(StoreError) in
      try await inner.giveUpQueued(of: record, reason: reason)
    }
  }

  @concurrent
  public func partial(of request: RequestKey) async throws(StoreError) -> PartialDownload? {
    try await read("partial") { () async throws(StoreError) in
      try await inner.partial(of: request)
    }
  }

  @concurrent
  public func partials() async throws(StoreError) -> [RequestKey] {
    try await read("partials") { () async throws(StoreError) in
      try await inner.partials()
    }
  }

  @concurrent
  public func firstPageSizes(
    of record: RecordID, offset: Int, limit: Int
  ) async throws(StoreError) -> [ResourceID: PageSize] {
    try await read("firstPageSizes") { () async throws(StoreError) in
      try await inner.firstPageSizes(of: record, offset: offset, limit: limit)
    }
  }

  @concurrent
  public func failedCount(of record: RecordID, reason: String) async throws(StoreError) -> Int {
    try await read("failedCount") { () async throws(StoreError) in
      try await inner.failedCount(of: record, reason: reason)
    }
  }

  @concurrent
  public func pages(of id: ResourceID) async throws(StoreError) -> [Page] {
    try await read("pages") { () async throws(StoreError) in
      try await inner.pages(of: id)
    }
  }

  @concurrent
  public func answers(
    to requests: [RequestKey]
  ) async throws(StoreError) -> [RequestKey: HeldFile] {
    try await read("answers") { () async throws(StoreError) in
      try await inner.answers(to: requests)
    }
  }

  @concurrent
  public func queuedURLs(
    among urls: Set<String>, outside record: RecordID
  ) async throws(StoreError) -> Set<String> {
    try await read("queuedURLs") { () async throws(StoreError) in
      try await inner.queuedURLs(among: urls, outside: record)
    }
  }

  @concurrent
  public func holders(
    of digests: [Digest], limit: Int
  ) async throws(StoreError) -> [Digest: [HeldFile]] {
    try await read("holders") { () async throws(StoreError) in
      try await inner.holders(of: digests, limit: limit)
    }
  }
}

// Caches
extension RecordingStore {
  @concurrent
  public func use(_ entries: [CacheEntry], in cache: CacheName) async throws(StoreError) {
    try await write("use") { () async throws(StoreError) in
      try await inner.use(entries, in: cache)
    }
  }

  @concurrent
  public func touch(_ names: [String], in cache: CacheName) async throws(StoreError) {
    try await write("touch") { () async throws(StoreError) in
      try await inner.touch(names, in: cache)
    }
  }

  @concurrent
  public func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) async throws(StoreError) -> [CacheEntry] {
    try await read("overflow") { () async throws(StoreError) in
      try await inner.overflow(of: cache, count: count, bytes: bytes, limit: limit)
    }
  }

  @concurrent
  public func forget(_ names: [String], in cache: CacheName) async throws(StoreError) {
    try await write("forget") { () async throws(StoreError) in
      try await inner.forget(names, in: cache)
    }
  }

  @concurrent
  public func size(of cache: CacheName) async throws(StoreError) -> CacheSize {
    try await read("size") { () async throws(StoreError) in
      try await inner.size(of: cache)
    }
  }
}

// The store itself
extension RecordingStore {
  @concurrent
  public func pageWork() async throws(StoreError) -> [PageWork] {
    try await read("pageWork") { () async throws(StoreError) in try await inner.pageWork() }
  }

  @concurrent
  public func setPageWork(_ work: [PageWork]) async throws(StoreError) {
    try await write("setPageWork") { () async throws(StoreError) in
      try await inner.setPageWork(work)
    }
  }

  @concurrent
  public func libraryState() async throws(StoreError) -> LibraryState {
    try await read("libraryState") { () async throws(StoreError) in
      try await inner.libraryState()
    }
  }

  @concurrent
  public func setLibraryState(_ state: LibraryState) async throws(StoreError) {
    try await write("setLibraryState") { () async throws(StoreError) in
      try await inner.setLibraryState(state)
    }
  }

  @concurrent
  public func integrityProblems() async throws(StoreError) -> [String] {
    try await read("integrityProblems") { () async throws(StoreError) in
      try await inner.integrityProblems()
    }
  }
}
