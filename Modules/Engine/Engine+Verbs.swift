public import LibraryAPI
public import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading

extension Engine {
  /// Queues exactly what failed, of one record or of all; what is whole and was given up only because
  /// engines ended over it is processed again, without a request. Returns how many.
  @discardableResult
  public func retry(_ record: RecordID? = nil) async throws(LibraryError) -> Int {
    do {
      let count = try await withTurn {
        let kept = try await store.processAgain(of: record, failedWith: Self.endedTwice)
        if kept > 0 { pageStage.lookIntoStore() }
        let count = try await kept + store.requeueFailed(of: record)
        guard count > 0 else { return 0 }
        for row in try await allRecords() where row.counts.settled < row.counts.total {
          try await recount(row.id)
        }
        return count
      }
      if count > 0 { events.emit(.retried(record, count: count)) }
      queueChanged()
      await pumpPages()
      return count
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  /// Stops what runs for the record and deletes it with its files. Files that are not ours stay.
  public func remove(_ id: RecordID) async throws(LibraryError) {
    verbsAtWork += 1
    defer { verbEnded() }
    await takeRecord(id)
    defer { passRecord(id) }
    do {
      try await disk.run { [layout] in DiskReserve(layout).releaseIfFull() }
      let record = try await existing(id)
      guard removed.insert(id).inserted else {
        throw LibraryError(.noSuchRecord, "there is no record \(id)")
      }
      suspended[id] = nil
      send(.dropped(record: id))
      pageStage.drop(id)
      await endCancelled()
      await endPageWork(of: id)
      do {
        try await discardPartials(of: id)
        try await withTurn {
          let dropped = commits.drop(id)
          for resource in dropped { pageStage.abandoned(resource) }
          send(.settled(dropped))
          try await removeRows(of: record)
        }
      } catch {
        removed.remove(id)
        pageStage.lookIntoStore()
        send(.kept(record: id))
        queueChanged()
        await pumpPages()
        throw error
      }
      forget(id)
      var failure: (any Error)?
      do { try await removeFiles(of: id) } catch { failure = error }
      events.emit(.recordRemoved(id))
      await pumpPages()
      noteIfIdle()
      if let failure { throw failure }
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  func endPageWork(of record: RecordID) async {
    let tasks = pageStage.tasks.values.filter { $0.record == record }.map(\.task)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  func forget(_ record: RecordID) {
    records[record] = nil
    tracked.remove(record)
    pausedHere.remove(record)
    visible.forget(record)
    recordsBegan[record] = nil
    follow(.removed(record))
    ports.progress.removeRecord(record)
  }

  /// Stops everything and deletes everything that is ours (DL5). Settings and foreign files stay.
  public func reset() async throws(LibraryError) {
    // What another one lets go on is stopped before its files go.
    await withCheckedContinuation { resetTurns.take($0) }
    defer { resetTurns.pass() }
    await quiesce()
    try? await disk.run { [layout] in DiskReserve(layout).releaseIfFull() }
    var failure: (any Error)?
    do {
      try await withTurn {
        try await removeRows(of: nil)
        libraryState = LibraryState()
        do { try await removeFiles(of: nil) } catch { failure = error }
      }
    } catch {
      goOn()
      throw LibraryError.wrapping(error)
    }
    resets += 1
    for id in tracked { forget(id) }
    records = KeyTable()
    sources = KeyTable()
    partialFiles.removeAll()
    suspended = [:]
    distrusted = KeySet()
    looseRecord = nil
    pausedHere = []
    isPausedHere = false
    memory.removeAll()
    _ = written.take()
    events.emit(.wasReset)
    goOn()
    if let failure { throw LibraryError.wrapping(failure) }
  }

  static let wasReset = LibraryError(.interrupted, "the library was reset")

  /// After `quiesce`: works on what is in the store now.
  private func goOn() {
    guard failure == nil, !isEnding else { return }
    isStopping = false
    // Their transfers are not known any more.
    looseInWork = [:]
    waiters.failAll(Self.wasReset)
    // What a verb has taken out it puts back.
    let dropped = scheduler.dropped
    scheduler = makeScheduler()
    scheduler.dropped = dropped
    pageStage = Self.makePageStage(settings)
    pageStage.lookIntoStore()
    queueChanged()
    Task { await pumpPages() }
  }
}
