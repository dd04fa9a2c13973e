public import Models
import Persistence
import ProgressTree
import SystemCalls

extension Engine {
  /// Queues exactly what failed, of one record or of all. Returns how many.
  public func retry(_ record: RecordID? = nil) async throws(EngineError) -> Int {
    do {
      let count = try await withTurn {
        let count = try await store.requeueFailed(of: record)
        if count > 0 {
          resumable.formUnion(try await store.partials())
          try await recount()
        }
        return count
      }
      queueChanged()
      return count
    } catch {
      throw EngineError.wrapping(error)
    }
  }

  /// Brings the progress up to the store, which nobody else writes to at the moment.
  private func recount() async throws {
    var offset = 0
    while case let page = try await store.records(offset: offset, limit: 500), !page.isEmpty {
      offset += page.count
      for row in page where row.counts.settled < row.counts.total {
        tracked.remove(row.id)
        track(row)
      }
    }
  }

  /// Stops what runs for the record and deletes it with its files. Files that are not ours stay.
  public func remove(_ id: RecordID) async throws(EngineError) {
    do {
      guard let record = try await store.record(id), removed.insert(id).inserted else {
        throw EngineError(.noSuchRecord, "there is no record \(id)")
      }
      send(.dropped(record: id))
      pageStage.drop(id)
      await endWork(of: id)
      do {
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

  private func endWork(of record: RecordID) async {
    let tasks =
      downloads.values.filter { $0.record == record }.map(\.task)
      + pageStage.tasks.values.filter { $0.record == record }.map(\.task)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  func forget(_ record: RecordID) {
    records[record] = nil
    tracked.remove(record)
    ports.progress.removeRecord(record)
  }

  /// Stops everything and deletes everything that is ours (DL5). Settings and foreign files stay.
  public func reset() async throws(EngineError) {
    await quiesce()
    let limit = scheduler.limit
    do {
      try await withTurn { try await deleteEverything() }
    } catch {
      goOn(limit: limit)
      throw EngineError.wrapping(error)
    }
    for id in tracked { forget(id) }
    records = [:]
    resumable = []
    events.emit(.wasReset)
    goOn(limit: limit)
  }

  private func deleteEverything() async throws {
    var offset = 0
    while case let page = try await store.records(offset: offset, limit: 500), !page.isEmpty {
      offset += page.count
      for record in page { try await deleteFiles(of: record) }
    }
    try await store.removeAll()
    try await disk.run { [layout] in
      for folder in [layout.incoming, layout.renditions] {
        try FileSystem.removeTree(folder)
        try FileSystem.makeFolders(folder)
      }
    }
  }

  /// After `quiesce`: works on what is in the store now.
  private func goOn(limit: Int) {
    guard failure == nil else { return }
    isStopping = false
    scheduler = Scheduler(limit: limit, hostLimit: settings.network.maxPerHost)
    pageStage = Self.makePageStage(settings)
    pageStage.lookIntoStore()
    queueChanged()
    Task { await pumpPages() }
  }

  /// Originals and partial files of a record, by what its rows say; then its folders if they are empty.
  private func deleteFiles(of record: Record) async throws {
    var folders: Set<String> = [layout.folder(of: record)]
    var offset = 0
    while case let page = try await store.resources(of: record.id, offset: offset, limit: 1_000),
      !page.isEmpty
    {
      offset += page.count
      let originals = page.compactMap(\.file).map { layout.original($0, in: record) }
      let partials = page.map { layout.partial(of: $0.id) }
      folders.formUnion(originals.map { FileSystem.parentFolder(of: $0) })
      try await disk.run {
        for path in originals + partials { try FileSystem.removeIfThere(path) }
      }
    }
    // Subfolders first; one that holds something of the user's stays.
    let inner = folders.sorted { $0.utf8.count > $1.utf8.count }
    _ = try await disk.run {
      for path in inner { try? FileSystem.removeFolder(path) }
    }
  }
}
