public import Models
public import Persistence

/// Queries in front of those of a store: keeps what was asked.
public protocol RecordingRows: LibraryRows {
  var log: RecordingStore.Log { get }

  /// Lets `body` query the rows, if the process lives.
  /// - Parameter name: of the query.
  func look<Value>(
    _ name: String, _ body: (any LibraryRows) throws(StoreError) -> Value
  ) throws(StoreError) -> Value
}

extension RecordingRows {
  private func query<Value>(
    _ name: String, _ body: (any LibraryRows) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try look(name) { rows throws(StoreError) in
      log.note(.other(name))
      return try body(rows)
    }
  }

  public func source(_ id: SourceID) throws(StoreError) -> SourceRow? {
    try query("source") { rows throws(StoreError) in try rows.source(id) }
  }

  public func source(key: String) throws(StoreError) -> SourceRow? {
    try query("source(key:)") { rows throws(StoreError) in try rows.source(key: key) }
  }

  public func incompleteSources() throws(StoreError) -> [SourceRow] {
    try query("incompleteSources") { rows throws(StoreError) in try rows.incompleteSources() }
  }

  public func standaloneRecord() throws(StoreError) -> Record? {
    try query("standaloneRecord") { rows throws(StoreError) in try rows.standaloneRecord() }
  }

  public func records(offset: Int, limit: Int) throws(StoreError) -> [Record] {
    try query("records") { rows throws(StoreError) in
      try rows.records(offset: offset, limit: limit)
    }
  }

  public func record(_ id: RecordID) throws(StoreError) -> Record? {
    try query("record") { rows throws(StoreError) in try rows.record(id) }
  }

  public func records(of source: SourceID) throws(StoreError) -> [Record] {
    try query("records(of:)") { rows throws(StoreError) in try rows.records(of: source) }
  }

  public func firstRecord(of source: SourceID) throws(StoreError) -> RecordID? {
    try query("firstRecord(of:)") { rows throws(StoreError) in try rows.firstRecord(of: source) }
  }

  public func records(titled title: String) throws(StoreError) -> [Record] {
    try query("records(titled:)") { rows throws(StoreError) in try rows.records(titled: title) }
  }

  public func namedResources(of record: RecordID) throws(StoreError) -> [ResourceID] {
    try query("namedResources") { rows throws(StoreError) in try rows.namedResources(of: record) }
  }

  public func recordsInChange() throws(StoreError) -> [RecordID] {
    try query("recordsInChange") { rows throws(StoreError) in try rows.recordsInChange() }
  }

  public func keepsFiles(ofRemoved record: RecordID) throws(StoreError) -> Bool {
    try query("keepsFiles") { rows throws(StoreError) in try rows.keepsFiles(ofRemoved: record) }
  }

  public func removedRecords() throws(StoreError) -> [Record] {
    try query("removedRecords") { rows throws(StoreError) in try rows.removedRecords() }
  }

  public func resources(
    ofRemoved record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource] {
    try query("resources(ofRemoved:)") { rows throws(StoreError) in
      try rows.resources(ofRemoved: record, after: after, limit: limit)
    }
  }

  public func recordCount() throws(StoreError) -> Int {
    try query("recordCount") { rows throws(StoreError) in try rows.recordCount() }
  }

  public func totals() throws(StoreError) -> ResourceCounts {
    try query("totals") { rows throws(StoreError) in try rows.totals() }
  }

  public func resource(_ id: ResourceID) throws(StoreError) -> Resource? {
    try query("resource") { rows throws(StoreError) in try rows.resource(id) }
  }

  public func resources(
    of record: RecordID, offset: Int, limit: Int
  ) throws(StoreError) -> [Resource] {
    try query("resources(of:)") { rows throws(StoreError) in
      try rows.resources(of: record, offset: offset, limit: limit)
    }
  }

  public func resources(
    in state: ResourceState, of priority: RecordPriority?, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource] {
    try look("resources(in:)") { rows throws(StoreError) in
      let found = try rows.resources(in: state, of: priority, after: after, limit: limit)
      log.note(.window(state, of: priority, after: after, limit: limit, found: found.count))
      return found
    }
  }

  public func lastResource() throws(StoreError) -> ResourceID {
    try query("lastResource") { rows throws(StoreError) in try rows.lastResource() }
  }

  public func partial(of request: RequestKey) throws(StoreError) -> PartialDownload? {
    try query("partial") { rows throws(StoreError) in try rows.partial(of: request) }
  }

  public func partials() throws(StoreError) -> [RequestKey] {
    try query("partials") { rows throws(StoreError) in try rows.partials() }
  }

  public func firstPageSizes(
    of record: RecordID, offset: Int, limit: Int
  ) throws(StoreError) -> [ResourceID: PageSize] {
    try query("firstPageSizes") { rows throws(StoreError) in
      try rows.firstPageSizes(of: record, offset: offset, limit: limit)
    }
  }

  public func resourceIDs(
    of record: RecordID, _ selection: ResourceSelection
  ) throws(StoreError) -> [ResourceID] {
    try query("resourceIDs") { rows throws(StoreError) in
      try rows.resourceIDs(of: record, selection)
    }
  }

  public func resources(_ ids: [ResourceID]) throws(StoreError) -> [Resource] {
    try query("resources(ids)") { rows throws(StoreError) in try rows.resources(ids) }
  }

  public func firstPages(of ids: [ResourceID]) throws(StoreError) -> [ResourceID: Page] {
    try query("firstPages") { rows throws(StoreError) in try rows.firstPages(of: ids) }
  }

  public func failedCount(of record: RecordID, reason: String) throws(StoreError) -> Int {
    try query("failedCount") { rows throws(StoreError) in
      try rows.failedCount(of: record, reason: reason)
    }
  }

  public func pages(of id: ResourceID) throws(StoreError) -> [Page] {
    try query("pages") { rows throws(StoreError) in try rows.pages(of: id) }
  }

  public func answers(
    to requests: [RequestKey]
  ) throws(StoreError) -> [RequestKey: ExistingFile] {
    try query("answers") { rows throws(StoreError) in try rows.answers(to: requests) }
  }

  public func queuedURLs(
    among urls: Set<String>, of record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> (urls: Set<String>, last: ResourceID?) {
    try query("queuedURLs") { rows throws(StoreError) in
      try rows.queuedURLs(among: urls, of: record, after: after, limit: limit)
    }
  }

  public func holders(
    of digests: [Digest], limit: Int
  ) throws(StoreError) -> [Digest: [ExistingFile]] {
    try query("holders") { rows throws(StoreError) in try rows.holders(of: digests, limit: limit) }
  }

  public func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) throws(StoreError) -> [CacheEntry] {
    try query("overflow") { rows throws(StoreError) in
      try rows.overflow(of: cache, count: count, bytes: bytes, limit: limit)
    }
  }

  public func entries(
    named names: [String], in cache: CacheName
  ) throws(StoreError) -> [CacheEntry] {
    try query("entries") { rows throws(StoreError) in try rows.entries(named: names, in: cache) }
  }

  public func size(of cache: CacheName) throws(StoreError) -> CacheSize {
    try query("size") { rows throws(StoreError) in try rows.size(of: cache) }
  }

  public func pageWork() throws(StoreError) -> [PageWork] {
    try query("pageWork") { rows throws(StoreError) in try rows.pageWork() }
  }

  public func libraryState() throws(StoreError) -> LibraryState {
    try query("libraryState") { rows throws(StoreError) in try rows.libraryState() }
  }
}
