public import LibraryAPI
public import Models
import Persistence
import ProgressTree

/// What may be changed while it runs. Each is effective at once, kept in the library, and told.
extension Engine {
  @discardableResult
  public func pause(_ record: RecordID?) async throws(LibraryError) -> Int {
    do {
      guard let record else { return try await pauseAll() }
      return try await inTurn(of: record) { try await pauseOne(record) }
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  private func pauseAll() async throws -> Int {
    try await untilUnlocked()
    let counts = try store.totals()
    let held = counts.queued + scheduler.waitingCount(of: standalone.record)
    guard held > 0 || !transfers.isEmpty, !libraryState.isPaused else { return 0 }
    try setPaused(true)
    verbs.holdLibrary(isStarted)
    send(.paused(true))
    await endCancelled()
    announcer.emit(.paused(nil))
    return max(held, 1)
  }

  private func pauseOne(_ id: RecordID) async throws -> Int {
    let record = try existing(id)
    guard record.counts.queued > 0, !record.isPaused else { return 0 }
    try store.setPaused(true, record: id)
    records.setPaused(true, id)
    // Before its transfers end: whoever waits for the end of all work waits for the resume too.
    if isStarted, !record.isLazy { verbs.hold(id) }
    partialFiles.keep(scheduler.requestsAtWork(for: id), for: id)
    send(.dropped(record: id))
    await endCancelled()
    await flushCommits()
    announcer.emit(.paused(id))
    // What was on its way has arrived.
    let queued = try existing(id).counts.queued
    if queued == 0 { verbs.letGo(id) }
    noteIfIdle()
    return max(queued, 1)
  }

  @discardableResult
  public func resume(_ record: RecordID?) async throws(LibraryError) -> Int {
    do {
      guard let record else { return try await resumeAll() }
      return try await inTurn(of: record) { try resumeOne(record) }
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  private func resumeOne(_ id: RecordID) throws -> Int {
    let record = try existing(id)
    guard record.isPaused else { return 0 }
    try store.setPaused(false, record: id)
    records.setPaused(false, id)
    verbs.letGo(id)
    partialFiles.release(id)
    try trackNow(id)
    announcer.emit(.resumed(id))
    putBack(id)
    return record.counts.queued
  }

  private func resumeAll() async throws -> Int {
    var count = 0
    for record in try allRecords() where record.isPaused {
      do {
        count += try await inTurn(of: record.id) { try resumeOne(record.id) }
      } catch let error as LibraryError where error.code == .noSuchRecord {
        // Somebody has removed it meanwhile.
      }
    }
    try await untilUnlocked()
    guard libraryState.isPaused else { return count }
    try setPaused(false)
    verbs.holdLibrary(false)
    announcer.emit(.resumed(nil))
    if isStarted { send(.paused(false)) }
    queueChanged()
    return try store.totals().queued
  }

  private func setPaused(_ isPaused: Bool) throws(StoreError) {
    var state = libraryState
    state.isPaused = isPaused
    try keep(state)
  }

  @discardableResult
  public func cancel(_ id: RecordID) async throws(LibraryError) -> Int {
    do {
      return try await inTurn(of: id) { try await cancelOne(id) }
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  private func cancelOne(_ id: RecordID) async throws -> Int {
    do {
      try await takeOut(existing(id))
      let count = try await change(id, .cancel(reason: Self.cancelled))
      try recount(id)
      verbs.letGo(id)
      announcer.emit(.cancelled(id, count: count))
      putBack(id)
      // Files that a reload was to replace stay, and show what they showed.
      pageStage.lookIntoStore()
      pumpPages()
      return count
    } catch {
      putBack(id)
      throw error
    }
  }

  static let cancelled = Resource.cancelledReason

  @discardableResult
  public func reload(_ id: RecordID) async throws(LibraryError) -> Int {
    do {
      return try await inTurn(of: id) { try await reloadOne(id) }
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  private func reloadOne(_ id: RecordID) async throws -> Int {
    do {
      try await takeOut(existing(id))
      pageStage.drop(id)
      await endPageWork(of: id)
      await flushCommits()
      let count = try await change(id, .reload)
      // What began meanwhile with a file that is to be replaced.
      pageStage.drop(id)
      await endPageWork(of: id)
      await flushCommits()
      try recount(id)
      announcer.emit(.reloading(id, count: count))
      putBack(id)
      pumpPages()
      return count
    } catch {
      putBack(id)
      throw error
    }
  }

  public func setConcurrency(_ limit: Int) async throws(LibraryError) {
    let limit = min(max(1, limit), 1_024, ports.transferCeiling)
    try await changeState { $0.concurrency = limit }
    send(.limitChanged(limit))
    announcer.emit(.concurrencyChanged(limit))
  }

  public func setPerHost(_ limit: Int) async throws(LibraryError) {
    let limit = min(max(1, limit), 1_024)
    try await changeState { $0.perHost = limit }
    send(.hostLimitChanged(limit))
    announcer.emit(.perHostChanged(limit))
  }

  private func changeState(
    _ change: (inout LibraryState) -> Void
  ) async throws(LibraryError) {
    do {
      try await untilUnlocked()
      var state = libraryState
      change(&state)
      try keep(state)
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  public func setPriority(
    _ priority: RecordPriority, of id: RecordID
  ) async throws(LibraryError) {
    do {
      try await untilUnlocked()
      _ = try existing(id)
      try store.setPriority(priority, record: id)
      records.setPriority(priority, id)
      send(.reordered(id, Precedence(priority)))
      announcer.emit(.priorityChanged(id, priority))
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  // What the verbs share

  /// Does a verb behind those on the same record that came before: none puts a record back into the
  /// scheduler while another one still counts on its rest. The engine is not idle before the end.
  func inTurn<Value>(
    of id: RecordID, _ body: () async throws -> Value
  ) async throws -> Value {
    await withCheckedContinuation { verbs.take(id, $0) }
    defer {
      verbs.pass(id)
      noteIfIdle()
    }
    try await untilUnlocked()
    return try await body()
  }

  func existing(_ id: RecordID) throws -> Record {
    guard !records.isRemoved(id), let record = try store.record(id), !record.isStandalone else {
      throw LibraryError(.noSuchRecord, "there is no record \(id)")
    }
    return record
  }

  func allRecords() throws(StoreError) -> [Record] {
    var all: [Record] = []
    while case let page = try store.records(offset: all.count, limit: 500), !page.isEmpty {
      all += page
    }
    return all
  }

  /// Nothing of the record waits or runs any more, and all that came of it is written.
  private func takeOut(_ record: Record) async throws {
    partialFiles.release(record.id)
    send(.dropped(record: record.id))
    suspendForeignTransfers()
    await endCancelled()
    try await discardPartials(of: record)
  }

  /// Transfers whose first subscriber does not want them any more continue for the others: they are no part
  /// of the first one's progress.
  private func suspendForeignTransfers() {
    for (request, leader) in transfers.leaders where scheduler.wants(request) {
      guard let job = scheduler.running(request),
        !job.subscribers.contains(where: { $0.resource.id == leader })
      else { continue }
      announcer.suspend(leader)
    }
  }

  private func putBack(_ id: RecordID) {
    if !records.isRemoved(id), records[id]?.isPaused != true {
      send(.kept(record: id))
      queueChanged()
    }
    noteIfIdle()
  }

  /// Nobody waits for its partial file, now or when a pause is over, and nothing is being done to
  /// it.
  private func isFree(_ request: RequestKey) -> Bool {
    !scheduler.wants(request) && transfers[request] == nil && !commits.concerns(request)
      && !partialFiles.isKept(request)
  }

  /// Returns when the transfers that nobody wants (now) have ended.
  func endCancelled() async {
    let isPaused = scheduler.isPaused
    let ending = transfers.cancel { isPaused || !scheduler.wants($0) }
    for (request, number) in ending { await end(of: request, number) }
  }

  /// What came of the record so far is written; partial files of its requests go, unless somebody
  /// else wants them.
  func discardPartials(of record: Record) async throws {
    await flushCommits()
    let known = Set(try store.partials())
    guard !known.isEmpty else { return }
    try know(record.source)
    let (id, isPublic) = (record.id, isPublic(record.source))
    var left: [(url: String, request: RequestKey)] = []
    var (offset, last): (Int, ResourceID?) = (0, nil)
    try await inParts { store, limit throws(StoreError) in
      let part =
        records.isRemoved(id)
        ? try store.resources(ofRemoved: id, after: last, limit: limit)
        : try store.resources(of: id, offset: offset, limit: limit)
      offset += part.count
      last = part.last?.id
      left += part.map { ($0.url, name($0.url, $0.fields, isPublic: isPublic).request) }
        .filter { known.contains($0.request) }
      return !part.isEmpty
    }
    // Of a paused or lazy record, or too far back in the queue for the scheduler to know it.
    let elsewhere = try await queuedURLs(among: Set(left.map(\.url)), outside: id)
    for (url, request) in left where !elsewhere.contains(url) && isFree(request) {
      partialFiles.forget(request)
      commit(.litter(request))
    }
    await flushCommits()
  }

  /// Those of the URLs, as they are spelled, that resources of other records wait for.
  private func queuedURLs(
    among urls: Set<String>, outside id: RecordID
  ) async throws -> Set<String> {
    guard !urls.isEmpty else { return [] }
    var found: Set<String> = []
    let others = try allRecords() + [store.looseRecord()].compactMap { $0 }
    for record in others where record.id != id && record.counts.queued > 0 {
      var last: ResourceID?
      try await inParts { store, limit throws(StoreError) in
        let part = try store.queuedURLs(among: urls, of: record.id, after: last, limit: limit)
        found.formUnion(part.urls)
        last = part.last
        return last != nil
      }
    }
    return found
  }

  /// Brings the progress up to the store, which nobody else writes to at the moment.
  func recount(_ id: RecordID) throws(StoreError) {
    guard let record = try store.record(id) else { return }
    records.note(record)
    announcer.untrack(id)
    track(record)
  }
}
