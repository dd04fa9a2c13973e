public import Models
import Persistence
import ProgressTree
import SystemCalls

extension Engine {
  /// Queues exactly what failed, of one record or of all. Returns how many.
  @discardableResult
  public func retry(_ record: RecordID? = nil) async throws(EngineError) -> Int {
    do {
      let count = try await withTurn {
        let count = try await store.requeueFailed(of: record)
        guard count > 0 else { return 0 }
        for row in try await allRecords() where row.counts.settled < row.counts.total {
          try await recount(row.id)
        }
        return count
      }
      if count > 0 { events.emit(.retried(record, count: count)) }
      queueChanged()
      return count
    } catch {
      throw EngineError.wrapping(error)
    }
  }

  /// Stops what runs for the record and deletes it with its files. Files that are not ours stay.
  public func remove(_ id: RecordID) async throws(EngineError) {
    do {
      let record = try await existing(id)
      guard removed.insert(id).inserted else {
        throw EngineError(.noSuchRecord, "there is no record \(id)")
      }
      let atWork = scheduler.requestsAtWork(for: id)
      suspended[id] = nil
      send(.dropped(record: id))
      discard(atWork)
      pageStage.drop(id)
      await endCancelled()
      await endPageWork(of: id)
      do {
        try await discardPartials(of: id)
        try await withTurn {
          let dropped = commits.drop(id)
          for resource in dropped { pageStage.abandoned(resource) }
          send(.settled(dropped))
          try await deleteFiles(of: record)
          try await store.removeRecord(id)
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
      events.emit(.recordRemoved(id))
      await pumpPages()
      noteIfIdle()
    } catch {
      throw EngineError.wrapping(error)
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
    inSight[record] = nil
    follow(.removed(record))
    ports.progress.removeRecord(record)
  }

  /// Stops everything and deletes everything that is ours (DL5). Settings and foreign files stay.
  public func reset() async throws(EngineError) {
    await quiesce()
    do {
      try await withTurn { try await deleteEverything() }
    } catch {
      goOn()
      throw EngineError.wrapping(error)
    }
    for id in tracked { forget(id) }
    records = [:]
    sources = [:]
    resumable = []
    partials = [:]
    suspended = [:]
    distrusted = []
    looseRecord = nil
    looseInWork = [:]
    pausedHere = []
    isPausedHere = false
    memory.removeAll()
    _ = written.take()
    waiters.failAll(EngineError(.interrupted, "the library was reset"))
    events.emit(.wasReset)
    goOn()
  }

  private func deleteEverything() async throws {
    var offset = 0
    while case let page = try await store.records(offset: offset, limit: 500), !page.isEmpty {
      offset += page.count
      for record in page { try await deleteFiles(of: record) }
    }
    try await store.removeAll()
    libraryState = LibraryState()
    try await disk.run { [layout] in
      if FileSystem.exists(layout.loose) { try FileSystem.removeTree(layout.loose) }
      for folder in [layout.incoming, layout.renditions] {
        try FileSystem.removeTree(folder)
        try FileSystem.makeFolders(folder)
      }
    }
  }

  /// After `quiesce`: works on what is in the store now.
  private func goOn() {
    guard failure == nil, !isEnding else { return }
    isStopping = false
    scheduler = makeScheduler()
    pageStage = Self.makePageStage(settings)
    pageStage.lookIntoStore()
    queueChanged()
    Task { await pumpPages() }
  }

  /// Originals of a record, by what its rows say; then its folders if they are empty.
  private func deleteFiles(of record: Record) async throws {
    var folders: Set<String> = [layout.folder(of: record)]
    var offset = 0
    while case let page = try await store.resources(of: record.id, offset: offset, limit: 1_000),
      !page.isEmpty
    {
      offset += page.count
      let originals = page.compactMap(\.file).map { layout.original($0, in: record) }
      folders.formUnion(originals.map { FileSystem.parentFolder(of: $0) })
      try await disk.run {
        for path in originals { try FileSystem.removeIfThere(path) }
      }
    }
    // Subfolders first; one that holds something of the user's stays.
    let inner = folders.sorted { $0.utf8.count > $1.utf8.count }
    _ = try await disk.run {
      for path in inner { try? FileSystem.removeFolder(path) }
    }
  }
}
