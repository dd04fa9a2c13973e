public import Models

/// Reads a library's tables from any task, on a thread of its own; a read never waits for a write.
public protocol LibraryReader: Sendable {
  /// Runs `body` on one snapshot of the tables, so that all its queries see the same state. `body` must do
  /// nothing but query: an open snapshot keeps the store from truncating its write-ahead log.
  @concurrent
  func read<Value: Sendable>(
    _ body: @Sendable (any LibraryRows) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value

  /// Checks the integrity of the store. Returns one sentence for each problem.
  @concurrent func integrityProblems() async throws(StoreError) -> [String]

  /// Closes the reader; later reads throw `.closed`.
  func close() async
}

/// Convenience methods for single queries, each on a snapshot of its own.
extension LibraryReader {
  public func libraryState() async throws(StoreError) -> LibraryState {
    try await read { rows throws(StoreError) in try rows.libraryState() }
  }

  public func source(_ id: SourceID) async throws(StoreError) -> SourceRow? {
    try await read { rows throws(StoreError) in try rows.source(id) }
  }

  public func source(key: String) async throws(StoreError) -> SourceRow? {
    try await read { rows throws(StoreError) in try rows.source(key: key) }
  }

  public func record(_ id: RecordID) async throws(StoreError) -> Record? {
    try await read { rows throws(StoreError) in try rows.record(id) }
  }

  public func standaloneRecord() async throws(StoreError) -> Record? {
    try await read { rows throws(StoreError) in try rows.standaloneRecord() }
  }

  public func records(offset: Int, limit: Int) async throws(StoreError) -> [Record] {
    try await read { rows throws(StoreError) in try rows.records(offset: offset, limit: limit) }
  }

  public func records(of source: SourceID) async throws(StoreError) -> [Record] {
    try await read { rows throws(StoreError) in try rows.records(of: source) }
  }

  public func firstRecord(of source: SourceID) async throws(StoreError) -> RecordID? {
    try await read { rows throws(StoreError) in try rows.firstRecord(of: source) }
  }

  public func records(titled title: String) async throws(StoreError) -> [Record] {
    try await read { rows throws(StoreError) in try rows.records(titled: title) }
  }

  public func recordCount() async throws(StoreError) -> Int {
    try await read { rows throws(StoreError) in try rows.recordCount() }
  }

  public func totals() async throws(StoreError) -> ResourceCounts {
    try await read { rows throws(StoreError) in try rows.totals() }
  }

  public func resource(_ id: ResourceID) async throws(StoreError) -> Resource? {
    try await read { rows throws(StoreError) in try rows.resource(id) }
  }

  public func resources(
    of record: RecordID, offset: Int, limit: Int
  ) async throws(StoreError) -> [Resource] {
    try await read { rows throws(StoreError) in
      try rows.resources(of: record, offset: offset, limit: limit)
    }
  }

  public func resources(
    in state: ResourceState, of priority: RecordPriority?, after: ResourceID?, limit: Int
  ) async throws(StoreError) -> [Resource] {
    try await read { rows throws(StoreError) in
      try rows.resources(in: state, of: priority, after: after, limit: limit)
    }
  }

  public func firstPageSizes(
    of record: RecordID, offset: Int, limit: Int
  ) async throws(StoreError) -> [ResourceID: PageSize] {
    try await read { rows throws(StoreError) in
      try rows.firstPageSizes(of: record, offset: offset, limit: limit)
    }
  }

  public func resourceIDs(
    of record: RecordID, _ selection: ResourceSelection
  ) async throws(StoreError) -> [ResourceID] {
    try await read { rows throws(StoreError) in try rows.resourceIDs(of: record, selection) }
  }

  public func failedCount(
    of record: RecordID, reason: String
  ) async throws(StoreError) -> Int {
    try await read { rows throws(StoreError) in
      try rows.failedCount(of: record, reason: reason)
    }
  }

  public func pages(of id: ResourceID) async throws(StoreError) -> [Page] {
    try await read { rows throws(StoreError) in try rows.pages(of: id) }
  }

  public func entries(
    named names: [String], in cache: CacheName
  ) async throws(StoreError) -> [CacheEntry] {
    try await read { rows throws(StoreError) in try rows.entries(named: names, in: cache) }
  }

  public func size(of cache: CacheName) async throws(StoreError) -> CacheSize {
    try await read { rows throws(StoreError) in try rows.size(of: cache) }
  }
}
