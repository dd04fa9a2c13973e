import LibraryAPI
import Manifests
import Models
import Persistence
import Transport

/// Refreshes sources (RM7) and continues paged ones (RM8).
final class RefreshStage: Stage {
  /// The lock of each source: two concurrent refreshes of a source would both insert the same new entries.
  private var sources = KeyedFIFOLock<SourceID>()

  /// Whether no source is being refreshed or continued.
  var isAtRest: Bool { sources.isFree }

  func refresh(_ id: RecordID) async throws -> RefreshResult {
    try await inTurn(of: id) { record, source in
      let hadCookies = context.cookies.haveReading(of: source.id)
      let wasEmpty = context.cookies[.source(source.id)].isEmpty
      let result = try await refresh(source, of: record, from: source.request())
      // Cookies are not stored. What has failed without those of the page may succeed with them.
      let hasCookies = context.cookies.registerReading(of: source.id)
      if !hadCookies, hasCookies, wasEmpty || source.state.setsCookies {
        try await retryFailed(of: source.id)
      }
      return result
    }
  }

  private func retryFailed(of source: SourceID) async throws {
    for record in try store.records(of: source) where record.counts.failed > 0 {
      _ = try await stages.verbs.retry(record.id)
    }
  }

  /// Reads a source again that was not read to its end, because a page failed or a limit was exceeded.
  /// - Parameter request: The request with which the source is added again.
  /// - Returns: The problems; nil if the source was read to its end.
  func readRest(of id: RecordID, from request: SourceRequest) async throws -> [String]? {
    try await inTurn(of: id) { record, source in
      guard isReadInPart(source) else { return nil }
      let again = SourceRequest(
        location: request.location, format: source.form.format, columns: source.form.columns,
        displayName: request.displayName)
      return try await refresh(source, of: record, from: again).problems
    }
  }

  /// Whether something kept an earlier reading from the end of a source. A source that is read on demand has further
  /// pages in any case.
  private func isReadInPart(_ source: SourceRow) -> Bool {
    source.state.isCut || source.state.nextPage != nil && !isReadOnDemand(source)
  }

  /// - Parameter gone: Pages that do not exist any more. If there are any, only the first page is read, for the further
  ///   page that it names now.
  private func refresh(
    _ source: SourceRow, of record: Record, from request: SourceRequest,
    replacing gone: Set<String> = []
  ) async throws -> RefreshResult {
    let target = RefreshImport()
    let hadNoCookies = context.cookies[.source(source.id)].isEmpty
    let known = try store.records(of: source.id)
    let isFirstPageOnly = isReadOnDemand(source) || !gone.isEmpty
    // An unchanged first page says nothing about pages that were not read.
    let isConditional =
      gone.isEmpty && (isReadOnDemand(source) || source.state.nextPage == nil)
    let outcome = try await stages.sources.read(
      request,
      SourceImport.Extent(
        pages: isFirstPageOnly ? 1 : Int.max,
        knownValidator: isConditional ? source.state.validator : Validator(),
        knownLayout: source.knownLayout, expected: source.expected),
      into: target, stages.sources.terms(of: source.id, key: source.key))
    try checkPresence(of: record)
    if outcome.isUnchanged { return RefreshResult(isUnchanged: true) }
    var result = RefreshResult(problems: await target.problems)
    // Entries that no earlier reading reached follow the known ones.
    let isRest = source.state.isCut || !isFirstPageOnly && source.state.nextPage != nil
    let isSequence = await target.isSequence || isRest
    let mayLeadOn = try await insertEntries(
      await target.lists, own: await target.listsByDocument.own.count, isSequence: isSequence,
      isRest: isRest, of: source, known, outcome, into: &result)
    var state = outcome.state
    state.isSeries = source.state.isSeries
    state.isPublic = state.isPublic || source.state.isPublic
    state.layout = state.layout ?? source.state.layout
    state.format = source.state.format ?? state.format
    state.setsCookies =
      source.state.setsCookies
      || hadNoCookies && !context.cookies[.source(source.id)].isEmpty
    if isFirstPageOnly {
      state.nextPage = nextPage(of: source, named: state.nextPage, mayLeadOn, replacing: gone)
      // The pages that other readings have read may change although the first one does not.
      if !isReadOnDemand(source) { state.validator = Validator() }
    }
    try await untilUnlocked()
    try recordState(state, of: source)
    try await commits.syncOutstandingRows()
    transfers.queueChanged()
    return result
  }

  /// Returns the page with which the reading of a source continues after only its first page was read again.
  /// - Parameters:
  ///   - named: The further page that the first page names now; nil if there is none.
  ///   - mayLeadOn: Whether this page may have entries that are not known.
  private func nextPage(
    of source: SourceRow, named: String?, _ mayLeadOn: Bool, replacing gone: Set<String>
  ) -> String? {
    // Pages that were read need not be read again, and those after them must not be forgotten.
    guard let stored = source.state.nextPage else { return mayLeadOn ? named : nil }
    guard gone.contains(stored), let named, !gone.contains(named) else { return stored }
    return named
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
    var count = 0
    // The error of the page that was replaced.
    var cause: (any Error)?
    while let next = source.state.nextPage, read.count < Self.maximumKnownPages {
      read.insert(next)
      do {
        let new = try await loadPage(next, into: record, from: source, after: read)
        count += new
        guard new == 0 else { return count }
      } catch {
        guard cause == nil else { throw error }
        cause = error
        let replaced = await replaceNextPage(of: source, record, error, gone: read)
        guard let new = replaced else { throw error }
        count += new
      }
      source = try self.source(of: record)
      // A page that has not been read to its end is read again another time.
      if source.state.nextPage == next { return count }
    }
    // The replacement has led to nothing new so far, so that a dead end of a long list stays known.
    if let cause, count == 0, source.state.nextPage != nil { throw cause }
    return count
  }

  /// Reads the first page of a source again if its next page does not exist any more, as after the expiry of the cursor
  /// in its URL, and stores the page that it names now. The pages from there on that are known are passed over.
  /// - Returns: The number of new entries of the first page; nil if it names no other page.
  private func replaceNextPage(
    of source: SourceRow, _ record: Record, _ error: any Error, gone: Set<String>
  ) async -> Int? {
    guard let failure = (error as? LibraryError)?.underlying as? DownloadFailure,
      failure.isLasting
    else { return nil }
    do {
      let result = try await refresh(
        source, of: record, from: source.request(), replacing: gone)
      let next = try store.source(source.id)?.state.nextPage
      return next.map { gone.contains($0) } ?? true ? nil : result.newEntries
    } catch {
      // The cause is that of the page that was to be read.
      return nil
    }
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
        isNamedByPublicPage: source.state.isPublic, isFurtherPage: true),
      into: target, stages.sources.terms(of: source.id, key: source.key))
    try await untilUnlocked()
    try checkPresence(of: record)
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
    guard try isPresent(target) else { return 0 }
    let entries = try new(list.entries, in: target)
    try insert(entries, into: target, at: .end)
    return entries.count
  }

  /// Runs a refresh after all earlier refreshes of the same source have ended, with the current row of the
  /// source. The engine is not idle until the refresh has ended.
  /// - Throws: `LibraryError.wasReset` if the library is reset meanwhile, whatever the refresh has noticed of it.
  private func inTurn<Value>(
    of id: RecordID, _ body: (Record, SourceRow) async throws -> Value
  ) async throws -> Value {
    let resetCount = stages.removals.resetCount
    let source = try catalog.existing(id).source
    await withCheckedContinuation { sources.acquire(source, $0) }
    defer {
      sources.release(source)
      lifecycle.notifyIfIdle()
    }
    do {
      let record = try catalog.existing(id)
      let row = try self.source(of: record)
      try catalog.loadState(of: row.id)
      let value: Value
      do {
        value = try await body(record, row)
      } catch {
        throw stages.requestOptions.explained(error, of: row)
      }
      try stages.removals.checkReset(since: resetCount)
      return value
    } catch {
      try stages.removals.checkReset(since: resetCount)
      throw error
    }
  }

  func isPresent(_ record: Record) throws(StoreError) -> Bool {
    try store.record(record.id) != nil
  }

  /// Throws if a record was removed while its source was read, so that its entries do not come back as new ones.
  private func checkPresence(of record: Record) throws {
    guard try !isPresent(record) else { return }
    throw LibraryError(
      .noSuchRecord, "the record \"\(record.title)\" was removed while its source was read")
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
    if records[source: source.id] != nil { records.register(state, of: source) }
  }
}
