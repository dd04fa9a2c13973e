public import LibraryAPI
public import Models
import Persistence
import ProgressTree

/// Changes of the running library. Each takes effect at once, is stored in the library and emits an event.
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
    verbs.setLibraryHeld(isStarted)
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
    // Before its transfers end: `waitUntilIdle` must also wait until the record is resumed.
    if isStarted, !record.isLazy { verbs.holdBack(id) }
    partialFiles.retain(scheduler.requestsAtWork(for: id), for: id)
    send(.dropped(record: id))
    await endCancelled()
    await flushCommits()
    announcer.emit(.paused(id))
    // Transfers that were already complete have been committed by now.
    let queued = try existing(id).counts.queued
    if queued == 0 { verbs.endHold(id) }
    notifyIfIdle()
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
    verbs.endHold(id)
    partialFiles.release(id)
    try trackNow(id)
    announcer.emit(.resumed(id))
    restoreToScheduler(id)
    return record.counts.queued
  }

  private func resumeAll() async throws -> Int {
    var count = 0
    for record in try allRecords() where record.isPaused {
      do {
        count += try await inTurn(of: record.id) { try resumeOne(record.id) }
      } catch let error as LibraryError where error.code == .noSuchRecord {
        // The record was removed in the meantime.
      }
    }
    try await untilUnlocked()
    guard libraryState.isPaused else { return count }
    try setPaused(false)
    verbs.setLibraryHeld(false)
    announcer.emit(.resumed(nil))
    if isStarted { send(.paused(false)) }
    queueChanged()
    return try store.totals().queued
  }

  private func setPaused(_ isPaused: Bool) throws(StoreError) {
    var state = libraryState
    state.isPaused = isPaused
    try persist(state)
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
      try await withdraw(existing(id))
      let count = try await change(id, .cancel(reason: Self.cancelled))
      try recount(id)
      verbs.endHold(id)
      announcer.emit(.cancelled(id, count: count))
      restoreToScheduler(id)
      // Files that a reload was to replace stay, together with their pages.
      pageStage.requestStoreLookup()
      pumpPages()
      return count
    } catch {
      restoreToScheduler(id)
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
      try await withdraw(existing(id))
      pageStage.dropWork(id)
      await endPageWork(of: id)
      await flushCommits()
      let count = try await change(id, .reload)
      // Page work that began in the meantime with a file that is to be replaced.
      pageStage.dropWork(id)
      await endPageWork(of: id)
      await flushCommits()
      try recount(id)
      announcer.emit(.reloading(id, count: count))
      restoreToScheduler(id)
      pumpPages()
      return count
    } catch {
      restoreToScheduler(id)
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
      try persist(state)
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

  // Shared by the verbs

  /// Runs a verb after all earlier verbs on the same record have ended, so that none puts a record back
  /// into the scheduler while another relies on its absence. The engine is not idle until the verb has
  /// ended.
  func inTurn<Value>(
    of id: RecordID, _ body: () async throws -> Value
  ) async throws -> Value {
    await withCheckedContinuation { verbs.acquire(id, $0) }
    defer {
      verbs.release(id)
      notifyIfIdle()
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

  /// Ends all work on the record: drops it from the scheduler, waits for its transfers and commits their
  /// results.
  private func withdraw(_ record: Record) async throws {
    partialFiles.release(record.id)
    send(.dropped(record: record.id))
    suspendForeignTransfers()
    await endCancelled()
    try await discardPartials(of: record)
  }

  /// Hides the progress of transfers whose first subscriber no longer wants them. They continue for other
  /// subscribers, and are not part of the first one's progress.
  private func suspendForeignTransfers() {
    for (request, leader) in transfers.leaders where scheduler.wants(request) {
      guard let job = scheduler.running(request),
        !job.subscribers.contains(where: { $0.resource.id == leader })
      else { continue }
      announcer.suspend(leader)
    }
  }

  private func restoreToScheduler(_ id: RecordID) {
    if !records.isRemoved(id), records[id]?.isPaused != true {
      send(.kept(record: id))
      queueChanged()
    }
    notifyIfIdle()
  }

  /// Whether the partial file of the request is unused: no job or paused record needs it, and no transfer
  /// or commit is using it.
  private func isFree(_ request: RequestKey) -> Bool {
    !scheduler.wants(request) && transfers[request] == nil && !commits.concerns(request)
      && !partialFiles.isKept(request)
  }

  /// Cancels the transfers that have no subscribers, or all of them during a pause, and returns when they
  /// have ended.
  func endCancelled() async {
    let isPaused = scheduler.isPaused
    let ending = transfers.cancel { isPaused || !scheduler.wants($0) }
    for (request, number) in ending { await waitForEnd(of: request, number) }
  }

  /// Commits the pending results of the record and deletes the partial files of its requests, unless
  /// resources of other records need them.
  func discardPartials(of record: Record) async throws {
    await flushCommits()
    let known = Set(try store.partials())
    guard !known.isEmpty else { return }
    try loadState(of: record.source)
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
    // The scheduler does not know resources of paused or lazy records, or those too far back in the queue.
    let elsewhere = try await queuedURLs(among: Set(left.map(\.url)), outside: id)
    for (url, request) in left where !elsewhere.contains(url) && isFree(request) {
      partialFiles.forget(request)
      commit(.discardPartial(request))
    }
    await flushCommits()
  }

  /// Returns the subset of `urls`, compared as spelled, that queued resources of other records have.
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

  /// Brings the progress of a record up to date with the store.
  func recount(_ id: RecordID) throws(StoreError) {
    guard let record = try store.record(id) else { return }
    records.register(record)
    announcer.untrack(id)
    track(record)
  }
}
