import LibraryAPI
import Models
import Persistence
import ProgressTree
import Transport

/// Pauses, resumes, cancels, reloads and retries records. Each verb takes effect at once, is stored in the
/// library and emits an event.
final class VerbStage: Stage {
  /// The changes that users made to the whole library (pause and limits), as the store holds them. A limit
  /// is nil if a setting overrides it.
  private(set) var libraryState = LibraryState()
  /// The limit of the rate in place of the stored one, until the engine ends.
  private var overridingRate: Int?
  private var recordLocks = KeyedFIFOLock<RecordID>()
  private var holds = PauseHolds()

  /// Whether no verb on a record is under way.
  var isAtRest: Bool { recordLocks.isFree }

  /// Returns whether a verb on the record is under way.
  func isUnderWay(on record: RecordID) -> Bool { recordLocks.isLocked(record) }

  /// Returns whether a pause of this run holds back work.
  /// - Parameter isAnyWaiting: Whether the scheduler has waiting jobs.
  func holdsBack(_ isAnyWaiting: Bool) -> Bool { holds.holdsBack(isAnyWaiting) }

  // MARK: - Pause and resume

  func pause(_ record: RecordID?) async throws -> Int {
    guard let record else { return try await pauseAll() }
    return try await inTurn(of: record) { try await pauseOne(record) }
  }

  private func pauseAll() async throws -> Int {
    try await untilUnlocked()
    let queued = try store.totals().queued
    let pending = transfers.scheduler.pendingCount(of: standalone.record)
    guard queued + pending > 0 || transfers.isAnyRunning, !libraryState.isPaused else { return 0 }
    // Resources on demand wait for a viewer, and not for the end of the pause.
    let onDemand = try catalog.allRecords().filter(\.isLazy).reduce(0) {
      $0 + $1.counts.queued - transfers.scheduler.pendingCount(of: $1.id)
    }
    let waitingCount = queued - onDemand + pending
    try setPaused(true)
    holds.setLibraryHeld(lifecycle.isStarted)
    transfers.send(.paused(true))
    await transfers.endCancelled()
    announcer.emit(.paused(nil))
    return max(waitingCount, 1)
  }

  private func pauseOne(_ id: RecordID) async throws -> Int {
    let record = try catalog.existing(id)
    guard record.counts.queued > 0, !record.isPaused else { return 0 }
    try store.setPaused(true, record: id)
    records.setPaused(true, id)
    // The record is held back before its transfers end, because `waitUntilIdle` must also wait until the
    // record is resumed.
    if lifecycle.isStarted, !record.isLazy { holds.holdBack(id) }
    let pending = transfers.scheduler.pendingCount(of: id)
    partialFiles.retain(transfers.scheduler.activeRequests(for: id), for: id)
    transfers.send(.recordDropped(id))
    await transfers.endCancelled()
    await commits.flush()
    announcer.emit(.paused(id))
    // Transfers that were already complete have been committed by now.
    let queued = try catalog.existing(id).counts.queued
    if queued == 0 { holds.endHold(id) }
    lifecycle.notifyIfIdle()
    // Resources on demand wait for a viewer, and not for the end of the pause.
    return max(record.isLazy ? min(pending, queued) : queued, 1)
  }

  func resume(_ record: RecordID?) async throws -> Int {
    guard let record else { return try await resumeAll() }
    return try await inTurn(of: record) { try resumeOne(record) }
  }

  private func resumeOne(_ id: RecordID) throws -> Int {
    let record = try catalog.existing(id)
    guard record.isPaused else { return 0 }
    try store.setPaused(false, record: id)
    records.setPaused(false, id)
    holds.endHold(id)
    partialFiles.endRetention(id)
    try catalog.track(id)
    announcer.emit(.resumed(id))
    restoreToScheduler(id)
    return record.counts.queued
  }

  private func resumeAll() async throws -> Int {
    var count = 0
    for record in try catalog.allRecords() where record.isPaused {
      do {
        count += try await inTurn(of: record.id) { try resumeOne(record.id) }
      } catch let error as LibraryError where error.code == .noSuchRecord {
        // The record was removed in the meantime.
      }
    }
    try await untilUnlocked()
    guard libraryState.isPaused else { return count }
    try setPaused(false)
    holds.setLibraryHeld(false)
    announcer.emit(.resumed(nil))
    if lifecycle.isStarted { transfers.send(.paused(false)) }
    transfers.queueChanged()
    return try store.totals().queued
  }

  private func setPaused(_ isPaused: Bool) throws(StoreError) {
    var state = libraryState
    state.isPaused = isPaused
    try persist(state)
  }

  // MARK: - Cancel, reload and retry

  func cancel(_ id: RecordID) async throws -> Int {
    try await inTurn(of: id) { try await cancelOne(id) }
  }

  private func cancelOne(_ id: RecordID) async throws -> Int {
    do {
      try await withdraw(catalog.existing(id))
      let count = try await change(id, .cancel(reason: Resource.cancelledReason))
      try catalog.recount(id)
      holds.endHold(id)
      announcer.emit(.cancelled(id, count: count))
      restoreToScheduler(id)
      // A resource whose reload was cancelled keeps its file, from which its pages may have to be made.
      pages.requestStoreLookup()
      pages.pump()
      return count
    } catch {
      restoreToScheduler(id)
      throw error
    }
  }

  func reload(_ id: RecordID) async throws -> Int {
    try await inTurn(of: id) { try await reloadOne(id) }
  }

  private func reloadOne(_ id: RecordID) async throws -> Int {
    do {
      try await withdraw(catalog.existing(id))
      await pages.endWork(of: id)
      await commits.flush()
      let count = try await change(id, .reload)
      // Ends page work that began during the change, with files that are to be replaced.
      await pages.endWork(of: id)
      await commits.flush()
      try catalog.recount(id)
      announcer.emit(.reloading(id, count: count))
      restoreToScheduler(id)
      try stages.requested.addNamed(of: id)
      pages.pump()
      return count
    } catch {
      restoreToScheduler(id)
      throw error
    }
  }

  /// Queues the failed resources of one record, or of all records, and returns their number. A resource
  /// that failed because engines ended while they processed its file is processed again without a request.
  func retry(_ record: RecordID?) async throws -> Int {
    try await requeuing {
      let count = if let record { try await retryOne(record) } else { try await retryAll() }
      if count > 0 { announcer.emit(.retried(record, count: count)) }
      return count
    }
  }

  private func retryOne(_ id: RecordID) async throws -> Int {
    try await inTurn(of: id) {
      _ = try catalog.existing(id)
      return try await retryFailed(of: id)
    }
  }

  private func retryAll() async throws -> Int {
    var count = 0
    for id in try catalog.allRecords().map(\.id) {
      do {
        count += try await inTurn(of: id) { try await retryFailed(of: id) }
      } catch let error as StoreError where error.code == .notFound {
        // The record was removed in the meantime.
      }
    }
    return count
  }

  private func retryFailed(of id: RecordID) async throws -> Int {
    let count = try await change(id, .retry(processing: Recovery.endedTwice))
    guard count > 0 else { return 0 }
    // The scheduler accepts a resource again only after `.commitEnded` for its earlier row change.
    await commits.flush()
    try catalog.recount(id)
    try stages.requested.addNamed(of: id)
    return count
  }

  /// Changes all rows of a record. If the process ends in between, the next start completes the change.
  /// - Returns: The number of changed rows.
  func change(_ id: RecordID, _ verb: RecordVerb) async throws(StoreError) -> Int {
    try store.beginChange(verb, of: id)
    return try await finishChange(of: id)
  }

  /// Completes a change of all rows of a record that `change` or an earlier process began.
  @discardableResult
  func finishChange(of id: RecordID) async throws(StoreError) -> Int {
    var count = 0
    try await inParts { store, limit throws(StoreError) in
      guard let part = try store.advance(id, limit: limit) else { return false }
      count += part
      return true
    }
    return count
  }

  // MARK: - Limits and priorities

  func setConcurrency(_ limit: Int) async throws {
    let limit = min(max(1, limit), 1_024, ports.transferCeiling)
    try await changeState { $0.concurrency = limit }
    transfers.send(.limitChanged(limit))
    announcer.emit(.concurrencyChanged(limit))
  }

  func setPerHost(_ limit: Int) async throws {
    let limit = min(max(1, limit), 1_024)
    try await changeState { $0.perHost = limit }
    transfers.send(.hostLimitChanged(limit))
    announcer.emit(.perHostChanged(limit))
  }

  /// The limit in bytes per second of all transfers together; 0 for no limit.
  var rateLimit: Int { overridingRate ?? libraryState.rateLimit ?? settings.network.limitRate }

  func setRateLimit(_ bytesPerSecond: Int) async throws {
    let limit = max(0, bytesPerSecond)
    try await changeState { $0.rateLimit = limit }
    overridingRate = nil
    applyRateLimit()
    announcer.emit(.rateLimitChanged(limit))
  }

  /// Sets the limit until the engine ends or `setRateLimit` is called, for a client that keeps it itself.
  func overrideRateLimit(_ bytesPerSecond: Int) {
    overridingRate = bytesPerSecond
    applyRateLimit()
  }

  private func applyRateLimit() { ports.transport.setRateLimit(bytesPerSecond: rateLimit) }

  private func changeState(
    _ change: (inout LibraryState) -> Void
  ) async throws {
    try await untilUnlocked()
    var state = libraryState
    change(&state)
    try persist(state)
  }

  func setPriority(
    _ priority: RecordPriority, of id: RecordID
  ) async throws {
    try await untilUnlocked()
    _ = try catalog.existing(id)
    try store.setPriority(priority, record: id)
    records.setPriority(priority, id)
    transfers.send(.reordered(id, Precedence(priority)))
    announcer.emit(.priorityChanged(id, priority))
  }

  // MARK: - Shared by the verbs

  /// Runs a verb after all earlier verbs on the same record have ended, so that no verb restores a record
  /// to the scheduler while another one relies on its absence. The engine is not idle until the verb has
  /// ended.
  func inTurn<Value>(
    of id: RecordID, _ body: () async throws -> Value
  ) async throws -> Value {
    await withCheckedContinuation { recordLocks.acquire(id, $0) }
    defer {
      recordLocks.release(id)
      lifecycle.notifyIfIdle()
    }
    try await untilUnlocked()
    return try await body()
  }

  /// Ends all work on the record: drops it from the scheduler, waits for its transfers and commits their
  /// results.
  func withdraw(_ record: Record) async throws {
    partialFiles.endRetention(record.id)
    transfers.send(.recordDropped(record.id))
    transfers.suspendForeignTransfers()
    await transfers.endCancelled()
    try await stages.partials.discard(of: record)
  }

  func restoreToScheduler(_ id: RecordID) {
    if !records.isRemoved(id), records[id]?.isPaused != true {
      transfers.send(.recordRestored(id))
      passRequested(of: id)
      transfers.queueChanged()
    }
    lifecycle.notifyIfIdle()
  }

  /// Downloads what `retry` and `reload` of a lazy record have left, after its transfers were dropped.
  private func passRequested(of id: RecordID) {
    do throws(StoreError) {
      try stages.requested.passAgain(of: id)
    } catch {
      lifecycle.fail(LibraryError.wrapping(error))
    }
  }

  /// Resumes the continuation when all earlier verbs on the record have ended; the caller then calls
  /// `release`.
  func acquire(_ record: RecordID, _ continuation: CheckedContinuation<Void, Never>) {
    recordLocks.acquire(record, continuation)
  }

  func release(_ record: RecordID) { recordLocks.release(record) }

  /// Ends the hold that a pause of this run has placed on the record (`PauseHolds`).
  func endHold(_ record: RecordID) { holds.endHold(record) }

  // MARK: - The state of the library

  /// Restores the changes that users made to the library during earlier runs.
  /// - Parameter overriding: The names of settings that take precedence over those changes.
  func restoreState(_ overriding: Set<String>) throws(StoreError) {
    libraryState = try store.libraryState()
    if overriding.contains("network.maxConcurrentDownloads") { libraryState.concurrency = nil }
    if overriding.contains("network.maxPerHost") { libraryState.perHost = nil }
    if overriding.contains("network.limitRate") { libraryState.rateLimit = nil }
    // The transport begins with the limit of the settings.
    if libraryState.rateLimit != nil { applyRateLimit() }
  }

  /// Resets the state in memory, after the store has reset its own.
  func resetState() {
    libraryState = LibraryState()
    applyRateLimit()
    holds.endAllHolds()
    stages.requested.removeAll()
  }

  /// Writes the state to the store and, if that succeeds, updates the copy in memory.
  private func persist(_ state: LibraryState) throws(StoreError) {
    try store.setLibraryState(state)
    libraryState = state
  }
}
