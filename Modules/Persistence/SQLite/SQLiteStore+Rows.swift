import Models
import Persistence

// Sources
extension SQLiteStore {
  func beginSource(_ draft: SourceDraft) async throws(StoreError) -> SourceID {
    try await writer.write { db throws(StoreError) in try db.beginSource(draft) }
  }

  func completeSource(_ id: SourceID) async throws(StoreError) {
    try await writer.write { db throws(StoreError) in try db.completeSource(id) }
  }

  func note(_ state: SourceState, of source: SourceID) async throws(StoreError) {
    try await writer.write { db throws(StoreError) in try db.note(state, of: source) }
  }

  func discardSource(_ id: SourceID) async throws(StoreError) {
    try await writer.outsideTransactions { db throws(StoreError) in try db.discardSource(id) }
  }

  func source(_ id: SourceID) async throws(StoreError) -> SourceRow? {
    try await reader.read { db throws(StoreError) in try db.source(id) }
  }

  func source(key: String) async throws(StoreError) -> SourceRow? {
    try await reader.read { db throws(StoreError) in try db.source(key: key) }
  }

  func incompleteSources() async throws(StoreError) -> [SourceRow] {
    try await reader.read { db throws(StoreError) in try db.incompleteSources() }
  }
}

// Records
extension SQLiteStore {
  func appendRecord(
    _ draft: RecordDraft, at place: ListPlace
  ) async throws(StoreError) -> RecordID {
    try await writer.write { db throws(StoreError) in try db.appendRecord(draft, at: place) }
  }

  func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID, at place: ListPlace
  ) async throws(StoreError) -> ResourceIDRange {
    try await writer.write { db throws(StoreError) in
      try db.insertResources(drafts, into: record, at: place)
    }
  }

  func looseRecord() async throws(StoreError) -> Record? {
    try await reader.read { db throws(StoreError) in try db.looseRecord() }
  }

  /// Made once and asked for often: the writer is only asked where there is none.
  func looseRecord(folder: String) async throws(StoreError) -> Record {
    if let known = try await looseRecord() { return known }
    return try await writer.write { db throws(StoreError) in
      try db.looseRecord(making: folder)
    }
  }

  func records(offset: Int, limit: Int) async throws(StoreError) -> [Record] {
    try await reader.read { db throws(StoreError) in try db.records(offset: offset, limit: limit) }
  }

  func record(_ id: RecordID) async throws(StoreError) -> Record? {
    try await reader.read { db throws(StoreError) in try db.record(id) }
  }

  func records(of source: SourceID) async throws(StoreError) -> [Record] {
    try await reader.read { db throws(StoreError) in try db.records(of: source) }
  }

  func records(titled title: String) async throws(StoreError) -> [Record] {
    try await reader.read { db throws(StoreError) in try db.records(titled: title) }
  }

  func recordCount() async throws(StoreError) -> Int {
    try await reader.read { db throws(StoreError) in try db.recordCount() }
  }

  func totals() async throws(StoreError) -> ResourceCounts {
    try await reader.read { db throws(StoreError) in try db.totals() }
  }

  func setPaused(_ paused: Bool, record: RecordID) async throws(StoreError) {
    try await writer.write { db throws(StoreError) in try db.setPaused(paused, record: record) }
  }

  func setPriority(_ priority: RecordPriority, record: RecordID) async throws(StoreError) {
    try await writer.write { db throws(StoreError) in
      try db.setPriority(priority, record: record)
    }
  }

  func removeRecord(_ id: RecordID) async throws(StoreError) {
    try await writer.outsideTransactions { db throws(StoreError) in try db.removeRecord(id) }
  }

  func removeAll() async throws(StoreError) {
    try await writer.outsideTransactions { db throws(StoreError) in try db.removeAll() }
  }
}

// Resources
extension SQLiteStore {
  func resource(_ id: ResourceID) async throws(StoreError) -> Resource? {
    try await reader.read { db throws(StoreError) in try db.resource(id) }
  }

  func resources(
    of record: RecordID, offset: Int, limit: Int
  ) async throws(StoreError) -> [Resource] {
    try await reader.read { db throws(StoreError) in
      try db.resources(of: record, offset: offset, limit: limit)
    }
  }

  func resources(
    in state: ResourceState, of priority: RecordPriority?, after: ResourceID?, limit: Int
  ) async throws(StoreError) -> [Resource] {
    try await reader.read { db throws(StoreError) in
      try db.resources(in: state, of: priority, after: after, limit: limit)
    }
  }

  func lastResource() async throws(StoreError) -> ResourceID {
    try await reader.read { db throws(StoreError) in ResourceID(try db.lastID("resource")) }
  }

  func queuedURLs(
    among urls: Set<String>, outside record: RecordID
  ) async throws(StoreError) -> Set<String> {
    try await reader.read { db throws(StoreError) in
      try db.queuedURLs(among: urls, outside: record)
    }
  }

  func apply(_ changes: [ResourceChange], durable: Bool) async throws(StoreError) {
    try await writer.write(durable: durable) { db throws(StoreError) in try db.apply(changes) }
  }

  func processAgain(
    of record: RecordID?, failedWith reason: String
  ) async throws(StoreError) -> Int {
    try await writer.write { db throws(StoreError) in
      try db.processAgain(of: record, failedWith: reason)
    }
  }

  func requeueFailed(of record: RecordID?) async throws(StoreError) -> Int {
    try await writer.write { db throws(StoreError) in try db.requeueFailed(of: record) }
  }

  func requeueAll(of record: RecordID) async throws(StoreError) -> Int {
    try await writer.write { db throws(StoreError) in try db.requeueAll(of: record) }
  }

  func giveUpQueued(of record: RecordID, reason: String) async throws(StoreError) -> Int {
    try await writer.write { db throws(StoreError) in
      try db.giveUpQueued(of: record, reason: reason)
    }
  }

  func partial(of request: RequestKey) async throws(StoreError) -> PartialDownload? {
    try await reader.read { db throws(StoreError) in try db.partial(of: request) }
  }

  func partials() async throws(StoreError) -> [RequestKey] {
    try await reader.read { db throws(StoreError) in try db.partials() }
  }

  func firstPageSizes(
    of record: RecordID, offset: Int, limit: Int
  ) async throws(StoreError) -> [ResourceID: PageSize] {
    try await reader.read { db throws(StoreError) in
      try db.firstPageSizes(of: record, offset: offset, limit: limit)
    }
  }

  func failedCount(of record: RecordID, reason: String) async throws(StoreError) -> Int {
    try await reader.read { db throws(StoreError) in
      try db.failedCount(of: record, reason: reason)
    }
  }

  func pages(of id: ResourceID) async throws(StoreError) -> [Page] {
    try await reader.read { db throws(StoreError) in try db.pages(of: id) }
  }

  func answers(to requests: [RequestKey]) async throws(StoreError) -> [RequestKey: HeldFile] {
    try await reader.read { db throws(StoreError) in try db.answers(to: requests) }
  }

  func holders(
    of digests: [Digest], limit: Int
  ) async throws(StoreError) -> [Digest: [HeldFile]] {
    // Whoever asks is about to write to the very pages that are read here: the writer has them at
    // hand, a reader forgets what it has with each write.
    try await writer.read { db throws(StoreError) in try db.holders(of: digests, limit: limit) }
  }
}

// Caches
extension SQLiteStore {
  func use(_ entries: [CacheEntry], in cache: CacheName) async throws(StoreError) {
    try await writer.write { db throws(StoreError) in try db.use(entries, in: cache) }
  }

  func touch(_ names: [String], in cache: CacheName) async throws(StoreError) {
    try await writer.write { db throws(StoreError) in try db.touch(names, in: cache) }
  }

  func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) async throws(StoreError) -> [CacheEntry] {
    try await reader.read { db throws(StoreError) in
      try db.overflow(of: cache, count: count, bytes: bytes, limit: limit)
    }
  }

  func forget(_ names: [String], in cache: CacheName) async throws(StoreError) {
    try await writer.write { db throws(StoreError) in try db.forget(names, in: cache) }
  }

  func size(of cache: CacheName) async throws(StoreError) -> CacheSize {
    try await reader.read { db throws(StoreError) in try db.size(of: cache) }
  }
}
