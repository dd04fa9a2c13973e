public import Models
import Persistence
import ProgressTree
import SystemCalls

extension Engine {
  /// Queues exactly what failed, of one record or of all. Returns how many.
  public func retry(_ record: RecordID? = nil) async throws(EngineError) -> Int {
    do throws(StoreError) {
      let count = try await store.requeueFailed(of: record)
      var offset = 0
      while case let page = try await store.records(offset: offset, limit: 500), !page.isEmpty {
        offset += page.count
        for row in page where row.counts.settled < row.counts.total { track(row) }
      }
      send(.queueChanged)
      return count
    } catch {
      throw EngineError(error)
    }
  }

  /// Stops what runs for the record and deletes it with its files. Files that are not ours stay.
  public func remove(_ id: RecordID) async throws(EngineError) {
    do {
      guard let record = try await store.record(id) else {
        throw EngineError(.noSuchRecord, "there is no record \(id)")
      }
      _ = scheduler.handle(.dropped(record: id), now: ports.clock.now())
      pageStage.drop(id)
      for (resource, task) in downloads where await owner(resource) == id { await end(task) }
      for (resource, task) in pageStage.tasks where await owner(resource) == id {
        await end(task)
      }
      await committer?.flush()
      try await deleteFiles(of: record)
      try await store.removeRecord(id)
      records[id] = nil
      ports.progress.removeRecord(id)
      events.emit(.recordRemoved(id))
      send(.queueChanged)
    } catch {
      throw EngineError.wrapping(error)
    }
  }

  /// Stops everything and deletes everything that is ours (DL5). Settings and foreign files stay.
  public func reset() async throws(EngineError) {
    do {
      await quiesce()
      var offset = 0
      while case let page = try await store.records(offset: offset, limit: 500), !page.isEmpty {
        offset += page.count
        for record in page { try await deleteFiles(of: record) }
      }
      try await store.removeAll()
      let layout = layout
      try await disk.run {
        for folder in [layout.incoming, layout.renditions] {
          try FileSystem.removeTree(folder)
          try FileSystem.makeFolders(folder)
        }
      }
      for id in records.keys { ports.progress.removeRecord(id) }
      records = [:]
      partials = [:]
      scheduler = Scheduler(
        limit: settings.network.maxConcurrentDownloads, hostLimit: settings.network.maxPerHost)
      isStopping = false
      events.emit(.wasReset)
      send(.queueChanged)
    } catch {
      throw EngineError.wrapping(error)
    }
  }

  private func owner(_ resource: ResourceID) async -> RecordID? {
    (try? await store.resource(resource))??.record
  }

  private func end(_ task: Task<Void, Never>) async {
    task.cancel()
    await task.value
  }

  /// Originals and partial files of a record, by what its rows say; then its folders if they are empty.
  private func deleteFiles(of record: Record) async throws {
    let folder = layout.folder(of: record)
    var folders: Set<String> = []
    var offset = 0
    while case let page = try await store.resources(of: record.id, offset: offset, limit: 1_000),
      !page.isEmpty
    {
      offset += page.count
      let layout = layout
      let paths = page.compactMap { $0.file }.map { layout.original($0, in: record) }
      let partials = page.map { layout.partial(of: $0.id) }
      folders.formUnion(paths.map { FileSystem.parentFolder(of: $0) })
      try await disk.run {
        for path in paths + partials {
          do throws(SystemError) {
            try FileSystem.remove(path)
          } catch {
            guard error.isMissing else { throw error }
          }
        }
      }
    }
    folders.insert(folder)
    // Subfolders first; one that holds something of the user's stays.
    for path in folders.sorted(by: { $0.utf8.count > $1.utf8.count }) {
      try? FileSystem.removeFolder(path)
    }
  }
}
