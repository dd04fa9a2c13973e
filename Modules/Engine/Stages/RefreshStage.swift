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
    try await inTurn(of: id) { try await refresh($1, from: $1.request()) }
  }

  /// Reads a source again that was not read to its end, because a page failed or a limit was exceeded.
  /// - Parameter request: The request with which the source is added again.
  /// - Returns: The problems; nil if the source was read to its end.
  func readRest(of id: RecordID, from request: SourceRequest) async throws -> [String]? {
    try await inTurn(of: id) { _, source in
      guard isReadInPart(source) else { return nil }
      let again = SourceRequest(
        location: request.location, format: source.form.format, columns: source.form.columns,
        displayName: request.displayName)
      return try await refresh(source, from: again).problems
    }
  }

  /// Whether something kept an earlier reading from the end of a source. A source that is read on demand has further
  /// pages in any case.
  private func isReadInPart(_ source: SourceRow) -> Bool {
    source.state.isCut || source.state.nextPage != nil && !isReadOnDemand(source)
  }

  private func refresh(
    _ source: SourceRow, from request: SourceRequest
  ) async throws -> RefreshResult {
    let target = RefreshImport()
    // An unchanged first page says nothing about pages that were not read.
    let isConditional = isReadOnDemand(source) || source.state.nextPage == nil
    let outcome = try await stages.sources.read(
      request,
      SourceImport.Extent(
        pages: isReadOnDemand(source) ? 1 : Int.max,
        knownValidator: isConditional ? source.state.validator : Validator(),
        knownLayout: source.knownLayout, expected: source.expected),
      into: target)
    if outcome.isUnchanged { return RefreshResult(isUnchanged: true) }
    var result = RefreshResult(problems: await target.problems)
    // Entries that no earlier reading reached follow the known ones.
    let isSequence = await target.isSequence || !isConditional || source.state.isCut
    try await insertEntries(
      await target.lists, isSequence: isSequence, of: source, outcome, into: &result)
    try await commits.syncOutstandingRows()
    transfers.queueChanged()
    return result
  }

  /// The largest number of pages that are read without finding anything new, before the user decides again.
  static let maximumKnownPages = 100

  /// Reads the next page of a source's first document, which its first record continues; if the page has nothing new,
  /// because the list has moved on since the pages before it were read, also the pages after it. The pages of other
  /// documents, such as the folders of a listing, were read when the source was added, so that their records have
  /// no further page.
  /// - Returns: The number of new resources, also of other records of the source.
  func loadMore(_ id: RecordID) async throws -> Int {
    try await inTurn(of: id) { try await loadMore(into: $0, from: $1) }
  }

  private func loadMore(into record: Record, from source: SourceRow) async throws -> Int {
    guard try store.firstRecord(of: source.id) == record.id else { return 0 }
    var source = source
    var read: Set<String> = []
    while let next = source.state.nextPage, read.count < Self.maximumKnownPages {
      read.insert(next)
      let count = try await loadPage(next, into: record, from: source, after: read)
      guard count == 0 else { return count }
      source = try self.source(of: record)
      // A page that has not been read to its end is read again another time.
      if source.state.nextPage == next { return 0 }
    }
    return 0
  }

  /// Reads one further page of a source.
  /// - Parameter read: The pages that were read without finding anything new, and this one.
  /// - Returns: The number of new resources.
  private func loadPage(
    _ next: String, into record: Record, from source: SourceRow, after read: Set<String>
  ) async throws -> Int {
    let target = RefreshImport()
    let outcome = try await stages.sources.read(
      SourceRequest(
        location: .url(try HTTPURL(next)), format: source.form.format, columns: source.form.columns),
      SourceImport.Extent(
        pages: 1, knownLayout: source.knownLayout, expected: source.expected,
        isNamedByPublicPage: source.state.isPublic, isFurtherPage: true), into: target)
    try await untilUnlocked()
    let count = try await insertPage(
      await target.listsByDocument, into: record, of: source)
    var state = source.state
    state.isCut = state.isCut || outcome.state.isCut
    // Pages that name each other have an end, too, unless this one has not been read to its end.
    let isRepeated = outcome.state.nextPage.map { read.contains($0) } ?? false
    if isRepeated, count == 0, outcome.state.isCut, let problem = await target.problems.last {
      throw LibraryError(outcome.endsEarly ? .source : .policy, problem)
    }
    state.nextPage = isRepeated && !outcome.state.isCut ? nil : outcome.state.nextPage
    state.isPublic = state.isPublic || outcome.state.isPublic
    state.layout = state.layout ?? outcome.state.layout
    try recordState(state, of: source)
    try await commits.syncOutstandingRows()
    transfers.queueChanged()
    return count
  }

  /// Inserts the new entries of a further page: those of the page itself into the record that it continues, those
  /// of documents that it links to, or of records that it names, into records of their own.
  private func insertPage(
    _ lists: (own: [RefreshImport.SourceList], linked: [RefreshImport.SourceList]),
    into record: Record, of source: SourceRow
  ) async throws -> Int {
    let known = try store.records(of: source.id)
    let isOneList = known.count == 1 && lists.own.count == 1
    var count = 0
    for list in lists.own {
      // Records have no other key than their titles. That of a page may differ from that of its first page.
      let same = record.title == list.title ? record : known.first { $0.title == list.title }
      count += try await append(list, to: isOneList ? record : same, of: source)
    }
    for list in lists.linked {
      // Several folders may have the same title; one that another page has named as well has common entries.
      let same = try known.filter { $0.title == list.title }
        .first { known throws(StoreError) in
          try new(list.entries, in: known).count < list.entries.count
        }
      count += try await append(list, to: same, of: source)
    }
    return count
  }

  /// Appends the new entries of a list to a record, or to a new one.
  private func append(
    _ list: RefreshImport.SourceList, to record: Record?, of source: SourceRow
  ) async throws -> Int {
    let target = if let record { record } else { try await makeRecord(list, source, at: .end) }
    try await untilUnlocked()
    let entries = try new(list.entries, in: target)
    try insert(entries, into: target, at: .end)
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

  /// Whether the pages of a source are read one at a time. Pages of another source that could not be read are
  /// read by its next refresh.
  private func isReadOnDemand(_ source: SourceRow) -> Bool {
    readsPagesOnDemand(isLazy: source.draft.isLazy)
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
        let record = try await makeRecord(list, source, at: .top)
        try await untilUnlocked()
        try insert(list.entries, into: record, at: .end)
        result.newRecords.insert(record.id, at: 0)
      }
    }
    var state = outcome.state
    state.isSeries = source.state.isSeries
    state.isPublic = state.isPublic || source.state.isPublic
    state.layout = state.layout ?? source.state.layout
    state.format = source.state.format ?? state.format
    // Pages that were read on demand need not be read again.
    if isReadOnDemand(source) { state.nextPage = source.state.nextPage }
    try await untilUnlocked()
    try recordState(state, of: source)
  }

  private func insertNew(
    of list: RefreshImport.SourceList, into record: Record, isSequence: Bool
  ) throws(StoreError) -> Int {
    let comparison = try compare(list.entries, with: record)
    try updateKnown(comparison, of: record)
    if isSequence {
      try insert(Array(comparison.preceding), into: record, at: .top)
      try insert(Array(comparison.following), into: record, at: .end)
    } else {
      try insert(comparison.new, into: record, at: .top)
    }
    return comparison.new.count
  }

  /// Stores changed mirrors and checksums. Files that were downloaded stay, whichever URL has delivered them;
  /// `retry` and `reload` compare the new checksum.
  private func updateKnown(
    _ comparison: RecordComparison, of record: Record
  ) throws(StoreError) {
    guard !comparison.changes.isEmpty else { return }
    try store.apply(comparison.changes)
    // Waiting jobs have copies of the old values; the queue is read again after the refresh.
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
    _ list: RefreshImport.SourceList, _ source: SourceRow, at place: InsertPosition
  ) async throws -> Record {
    let record = try await stages.recordMaking.makeRecord(
      RecordDraft(
        source: source.id, title: list.title, folder: "", isLazy: source.draft.isLazy), at: place)
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

extension ResourceDraft {
  init(_ entry: ManifestEntry) {
    self.init(
      url: entry.address, title: entry.name ?? entry.title, expectedChecksum: entry.checksum,
      fields: entry.headers, mirrors: entry.mirrors,
      expectedByteCount: entry.expectedByteCount)
  }
}
