import LibraryAPI
import Manifests
import Models
import Persistence

/// Refreshes sources (RM7) and continues paged ones (RM8).
final class RefreshStage: Stage {
  /// The lock of each source: two concurrent refreshes of a source would both insert the same new entries.
  private var sources = KeyedFIFOLock<SourceID>()

  /// Whether no source is being refreshed or continued.
  var isAtRest: Bool { sources.isFree }

  func refresh(_ id: RecordID) async throws -> RefreshResult {
    try await inTurn(of: id) { try await refresh($1) }
  }

  private func refresh(_ source: SourceRow) async throws -> RefreshResult {
    let target = RefreshImport()
    let outcome = try await stages.sources.read(
      try request(for: source),
      SourceImport.Extent(
        pages: isReadOnDemand(source) ? 1 : Int.max,
        knownValidator: source.state.validator), into: target)
    if outcome.isUnchanged { return RefreshResult(isUnchanged: true) }
    var result = RefreshResult(problems: await target.problems)
    try await insertEntries(
      await target.lists, isSequence: await target.isSequence, of: source, outcome, into: &result)
    try await commits.syncOutstandingRows()
    transfers.queueChanged()
    return result
  }

  func loadMore(_ id: RecordID) async throws -> Int {
    try await inTurn(of: id) { try await loadMore(into: $0, from: $1) }
  }

  private func loadMore(into record: Record, from source: SourceRow) async throws -> Int {
    guard let next = source.state.nextPage else { return 0 }
    let target = RefreshImport()
    let outcome = try await stages.sources.read(
      SourceRequest(location: .url(try HTTPURL(next)), form: SourceForm(text: source.draft.format)),
      SourceImport.Extent(
        pages: 1, isNamedByPublicPage: source.state.isPublic, isFurtherPage: true), into: target)
    try await untilUnlocked()
    let entries = try new(await target.lists.flatMap(\.entries), in: record)
    try insert(entries, into: record, at: .end)
    var state = source.state
    // A page that names itself as the next page is the last one.
    state.nextPage = outcome.state.nextPage == next ? nil : outcome.state.nextPage
    state.isPublic = state.isPublic || outcome.state.isPublic
    try recordState(state, of: source)
    try await commits.syncOutstandingRows()
    transfers.queueChanged()
    return entries.count
  }

  /// Runs a refresh after all earlier refreshes of the same source have ended, with the current row of the
  /// source. The engine is not idle until the refresh has ended.
  private func inTurn<Value>(
    of id: RecordID, _ body: (Record, SourceRow) async throws -> Value
  ) async throws -> Value {
    let record = try catalog.existing(id)
    await withCheckedContinuation { sources.acquire(record.source, $0) }
    defer {
      sources.release(record.source)
      lifecycle.notifyIfIdle()
    }
    return try await body(record, source(of: record))
  }

  /// Whether the pages of a source are read one at a time: because the source is lazy, because of the
  /// setting `source.pages`, or because some of its pages are unread.
  private func isReadOnDemand(_ source: SourceRow) -> Bool {
    readsPagesOnDemand(isLazy: source.draft.isLazy) || source.state.nextPage != nil
  }

  /// Whether only the first page of a newly added source is read (RM8).
  func readsPagesOnDemand(isLazy: Bool) -> Bool {
    isLazy || settings.source.pages == .onDemand
  }

  private func source(of record: Record) throws -> SourceRow {
    guard let source = try store.source(record.source) else {
      throw LibraryError(.store, "the source of \"\(record.title)\" is not known")
    }
    return source
  }

  private func request(for source: SourceRow) throws -> SourceRequest {
    let form = SourceForm(text: source.draft.format)
    if source.key.hasPrefix("content:") {
      throw LibraryError(.source, "standard input cannot be read a second time")
    }
    if source.key.hasPrefix("file:") {
      return SourceRequest(location: .file(String(source.key.dropFirst(5))), form: form)
    }
    return SourceRequest(location: .url(try HTTPURL(source.location)), form: form)
  }

  private func recordState(_ state: SourceState, of source: SourceRow) throws(StoreError) {
    try store.setState(state, of: source.id)
    if records[source: source.id] != nil { records.register(state, of: source.id) }
  }

  /// Inserts the new entries of known lists, and creates records for new lists.
  private func insertEntries(
    _ lists: [RefreshImport.SourceList], isSequence: Bool, of source: SourceRow,
    _ outcome: SourceImport.Outcome, into result: inout RefreshResult
  ) async throws {
    var matching = RecordMatching(
      try store.records(of: source.id), lists: lists.map(\.title),
      isOneList: !outcome.hasLinks)
    // The lists are handled from the last to the first, because each new record is inserted above the
    // others.
    for list in lists.reversed() {
      let record = try matching.record(for: list.title, entryCount: list.entries.count) {
        record throws(StoreError) in
        try list.entries.count - new(list.entries, in: record).count
      }
      if let record {
        try await untilUnlocked()
        result.newEntries += try insertNew(of: list, into: record, isSequence: isSequence)
      } else {
        let record = try await makeRecord(list, source)
        try await untilUnlocked()
        try insert(list.entries, into: record, at: .end)
        result.newRecords.insert(record.id, at: 0)
      }
    }
    var state = outcome.state
    state.isSeries = source.state.isSeries
    state.isPublic = state.isPublic || source.state.isPublic
    // Pages that were read on demand need not be read again.
    if isReadOnDemand(source) { state.nextPage = source.state.nextPage }
    try await untilUnlocked()
    try recordState(state, of: source)
  }

  private func insertNew(
    of list: RefreshImport.SourceList, into record: Record, isSequence: Bool
  ) throws(StoreError) -> Int {
    let comparison = try compare(list.entries, with: record)
    try updateMirrors(comparison, of: record)
    let place: InsertPosition = isSequence && comparison.isContinued ? .end : .top
    try insert(comparison.new, into: record, at: place)
    return comparison.new.count
  }

  /// Stores changed mirrors. Files that were downloaded stay, whichever URL has delivered them.
  private func updateMirrors(
    _ comparison: RecordComparison, of record: Record
  ) throws(StoreError) {
    guard !comparison.changes.isEmpty else { return }
    try store.apply(comparison.changes)
    // Waiting jobs have copies of the old mirrors; the queue is read again after the refresh.
    transfers.send(.withdrawn(comparison.changedWaiting { transfers.isRunning($0) }))
  }

  /// Returns the entries whose requests are not yet in the record.
  private func new(
    _ entries: [ManifestEntry], in record: Record
  ) throws(StoreError) -> [ManifestEntry] {
    try compare(entries, with: record).new
  }

  private func compare(
    _ entries: [ManifestEntry], with record: Record
  ) throws(StoreError) -> RecordComparison {
    try catalog.register(record)
    let isPublic = catalog.forbidsPrivateAddresses(record.id)
    var comparison = RecordComparison(entries) { [catalog] url, fields in
      catalog.name(url, fields, isPublic: isPublic).request
    }
    var offset = 0
    while case let page = try store.resources(of: record.id, offset: offset, limit: 1_000),
      !page.isEmpty
    {
      offset += page.count
      comparison.add(page)
    }
    comparison.finish()
    return comparison
  }

  private func makeRecord(
    _ list: RefreshImport.SourceList, _ source: SourceRow
  ) async throws -> Record {
    let record = try await stages.recordMaking.makeRecord(
      RecordDraft(
        source: source.id, title: list.title, folder: "", isLazy: source.draft.isLazy), at: .top)
    try catalog.register(record)
    catalog.track(record)
    announcer.emit(.recordAdded(record.id, title: record.title))
    return record
  }

  private func insert(
    _ entries: [ManifestEntry], into record: Record, at place: InsertPosition
  ) throws(StoreError) {
    guard !entries.isEmpty else { return }
    let range = try store.insertResources(
      entries.map { ResourceDraft($0) }, into: record.id, at: place)
    // The rows are synced before a file of the new resources gets its name: after a crash, only the rows
    // tell to which record the file belongs.
    commits.requireRowSync()
    records.registerLastResource(range.last)
    try catalog.recount(record.id)
    stages.viewports.forgetResources(of: record.id)
    announcer.emit(.entriesAdded(record.id, count: entries.count))
  }
}

extension SourceRequest {
  /// A request to read a source again.
  fileprivate init(location: Location, form: SourceForm) {
    self.init(location: location, format: form.format, columns: form.columns)
  }
}

extension ResourceDraft {
  init(_ entry: ManifestEntry) {
    self.init(
      url: entry.address, title: entry.name ?? entry.title, expectedDigest: entry.sha256,
      fields: entry.headers, mirrors: entry.mirrors,
      expectedByteCount: entry.mirrors.isEmpty ? nil : entry.byteCount)
  }
}
