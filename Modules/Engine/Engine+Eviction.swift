import Models
import Persistence
import SystemCalls

/// Caches on disk keep within their bounds; the least recently used goes first (RM4).
extension Engine {
  /// Puts into the books what a batch is about to say is there, so that no end of the program can
  /// come between: what is not in the book is never evicted.
  func keepBooks(_ batch: [CommitWork] = []) async throws {
    let renditions = written.take()
    if !renditions.isEmpty { try await store.use(renditions, in: .renditions) }
    let loose = batch.compactMap { callersFile(of: $0) }
    if !loose.isEmpty { try await store.use(loose, in: .loose) }
    if !renditions.isEmpty || !loose.isEmpty { isEvictionDue = true }
  }

  private func callersFile(of work: CommitWork) -> CacheEntry? {
    let file: StoredFile?
    switch work {
    case .arrival(let arrival): file = arrival.file
    case .answered(let resource, nil): file = resource.file
    default: return nil
    }
    guard let file, let resource = work.resource, resource.record == looseRecord?.id else {
      return nil
    }
    return CacheEntry(name: resource.id.description, bytes: file.byteCount)
  }

  /// One task at a time; what comes meanwhile is seen by the next one.
  func evictIfNeeded() {
    guard evicting == nil, isEvictionDue || !written.isEmpty else { return }
    isEvictionDue = false
    evicting = Task { await evict() }
  }

  private func evict() async {
    do {
      try await keepBooks()
      isEvictionDue = false
      try await evictRenditions()
      try await evictLoose()
    } catch {
      fail(EngineError.wrapping(error))
    }
    evicting = nil
    evictIfNeeded()
    noteIfIdle()
  }

  private func overflow(of cache: CacheName) async throws -> [CacheEntry] {
    try await store.overflow(
      of: cache, count: settings.cache.count, bytes: Int64(settings.cache.bytes), limit: 256)
  }

  private func evictRenditions() async throws {
    while case let gone = try await overflow(of: .renditions).map(\.name), !gone.isEmpty {
      try await renditions.run { [layout] in
        for name in gone { try FileSystem.removeIfThere(layout.rendition(name)) }
      }
      try await store.forget(gone, in: .renditions)
    }
  }

  private func evictLoose() async throws {
    while case let gone = try await overflow(of: .loose).map(\.name), !gone.isEmpty {
      let record = try await loose()
      var ids: [ResourceID] = []
      var paths: [String] = []
      let wanted = Set(looseInWork.values)
      for id in gone.compactMap({ Int64($0) }).map({ ResourceID($0) }) where !wanted.contains(id) {
        ids.append(id)
        if let file = try await store.resource(id)?.file {
          paths.append(layout.original(file, in: record))
        }
      }
      let files = paths
      try await disk.run { for path in files { try FileSystem.removeIfThere(path) } }
      try await store.apply(ids.map { .removed($0) }, durable: false)
      try await store.forget(gone, in: .loose)
    }
  }
}
