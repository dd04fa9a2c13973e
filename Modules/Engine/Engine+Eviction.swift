import Models
import Persistence
import SystemCalls

/// Caches on disk keep within their bounds; the least recently used goes first (RM4).
extension Engine {
  /// Pages that were written are in the book of the cache.
  func noteRenditions(of change: ResourceChange) {
    let pages: [Page]
    switch change {
    case .finished(_, let made, _), .failed(_, _, let made): pages = made
    default: return
    }
    newRenditions += pages.flatMap { [$0.file, $0.thumbnail].compactMap { $0 } }
  }

  /// One task at a time; what comes meanwhile is seen by the next one.
  func evictIfNeeded() {
    guard evicting == nil, !newRenditions.isEmpty || !newLoose.isEmpty else { return }
    let (renditions, loose) = (newRenditions, newLoose)
    newRenditions = []
    newLoose = []
    evicting = Task { await evict(renditions, loose) }
  }

  private func evict(_ renditions: [String], _ loose: [CacheEntry]) async {
    do {
      let entries = try await self.renditions.run { [layout] in
        renditions.compactMap { name -> CacheEntry? in
          guard let status = try? FileSystem.status(layout.rendition(name)) else { return nil }
          return CacheEntry(name: name, bytes: status.size)
        }
      }
      if !entries.isEmpty { try await store.use(entries, in: .renditions) }
      if !loose.isEmpty { try await store.use(loose, in: .loose) }
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
