public import LibraryAPI
public import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading

extension Engine {
  /// Queues the failed resources of one record, or of all records, and returns their number. A complete
  /// file that was abandoned because engines ended during its processing is processed again without a
  /// request.
  @discardableResult
  public func retry(_ record: RecordID? = nil) async throws(LibraryError) -> Int {
    // Keeps the engine from being idle between two records.
    verbs.beginPart()
    defer {
      queueChanged()
      pageStage.requestStoreLookup()
      pumpPages()
      verbs.endPart()
      notifyIfIdle()
    }
    do {
      var count = 0
      for id in try record.map({ [$0] }) ?? allRecords().map(\.id) {
        do {
          count += try await inTurn(of: id) { try await retryFailed(of: id) }
        } catch let error as StoreError where error.code == .notFound && record == nil {
          // The record was removed in the meantime.
        }
      }
      if count > 0 { announcer.emit(.retried(record, count: count)) }
      return count
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  private func retryFailed(of id: RecordID) async throws -> Int {
    let count = try await change(id, .retry(processing: Self.endedTwice))
    guard count > 0 else { return 0 }
    // The scheduler takes a resource back only after its row was announced as settled.
    await flushCommits()
    try recount(id)
    return count
  }

  /// Ends the work on the record and deletes it with its files. Foreign files in its folder stay.
  public func remove(_ id: RecordID) async throws(LibraryError) {
    do {
      try await inTurn(of: id) { try await removeOne(id) }
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  private func removeOne(_ id: RecordID) async throws {
    try await disk.run { [layout] in DiskReserve(layout).releaseIfFull() }
    try await untilUnlocked()
    let record = try existing(id)
    try register(record)
    // Before the first file goes: what is not marked has all of its files.
    try store.transaction(durable: sync.isWanted) { () throws(StoreError) in
      try store.markRemoved(id)
    }
    records.markRemoved(id)
    partialFiles.release(id)
    send(.dropped(record: id))
    pageStage.dropWork(id)
    let dropped = commits.dropWork(id)
    for resource in dropped { pageStage.abandoned(resource) }
    send(.settled(dropped))
    await endCancelled()
    await endPageWork(of: id)
    forget(id)
    announcer.emit(.recordRemoved(id))
    pumpPages()
    try await clean(record)
    try? await disk.run { [layout] in try DiskReserve(layout).restore() }
  }

  func endPageWork(of record: RecordID) async {
    let tasks = pageStage.tasks.values.filter { $0.record == record }.map(\.task)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  func forget(_ record: RecordID) {
    records.forget(record)
    verbs.endHold(record)
    visible.forget(record)
    handleViewportEvent(.removed(record))
    announcer.forget(record)
  }

  /// Ends all work and deletes everything that belongs to the library (DL5). Settings and foreign files
  /// stay.
  public func reset() async throws(LibraryError) {
    // One reset at a time: the work that an earlier one resumes must end before its files are deleted.
    await withCheckedContinuation { verbs.acquireReset($0) }
    defer {
      verbs.releaseReset()
      notifyIfIdle()
    }
    try? await disk.run { [layout] in DiskReserve(layout).releaseIfFull() }
    await quiesce()
    do {
      try await untilUnlocked()
      try store.transaction(durable: sync.isWanted) { () throws(StoreError) in
        try store.markAllRemoved()
        try store.setLibraryState(LibraryState())
      }
    } catch {
      resumeWork()
      throw LibraryError.wrapping(error)
    }
    resetState()
    var failure: (any Error)?
    do { try await cleanEverything() } catch { failure = error }
    try? await disk.run { [layout] in try DiskReserve(layout).restore() }
    for id in announcer.tracked { forget(id) }
    records.forgetAll()
    partialFiles.removeAll()
    standalone.forgetRecord()
    verbs.endAllHolds()
    memory.removeAll()
    _ = written.drain()
    announcer.emit(.wasReset)
    resumeWork()
    if let failure { throw LibraryError.wrapping(failure) }
  }

  static let wasReset = LibraryError(.interrupted, "the library was reset")
}
