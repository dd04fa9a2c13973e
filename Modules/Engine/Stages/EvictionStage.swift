import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// Keeps the caches on disk within their limits by evicting the least recently used files (RM4).
final class EvictionStage: Stage {
  /// Enters the files of a batch in the cache usage no later than the rows that name them are written,
  /// because a file without an entry would never be evicted.
  func updateUsage(_ batch: ArraySlice<CommitWork> = []) throws(StoreError) {
    let renditions = context.written.drain()
    if !renditions.isEmpty { try store.use(renditions, in: .renditions) }
    let standaloneFiles = batch.compactMap { callersFile(of: $0) }
    if !standaloneFiles.isEmpty { try store.use(standaloneFiles, in: .standalone) }
    if !renditions.isEmpty || !standaloneFiles.isEmpty { commits.requestEviction() }
  }

  private func callersFile(of work: CommitWork) -> CacheEntry? {
    let file: StoredFile?
    switch work {
    case .arrival(let arrival): file = arrival.file
    case .answered(let resource, _): file = resource.file
    default: return nil
    }
    guard let file, let resource = work.resource, standalone.contains(resource) else {
      return nil
    }
    return CacheEntry(name: resource.id.description, bytes: file.byteCount)
  }

  /// Evicts some of the files beyond the limits; another eviction is requested if there may be more.
  func evict() async {
    do {
      try await untilUnlocked()
      try updateUsage()
      commits.clearEviction()
      if try await evictRenditions() { commits.requestEviction() }
      if try await evictStandalone() { commits.requestEviction() }
    } catch {
      commits.clearEviction()
      lifecycle.fail(LibraryError.wrapping(error))
    }
  }

  private func overflow(of cache: CacheName) throws(StoreError) -> [CacheEntry] {
    try store.overflow(
      of: cache, count: settings.cache.count, bytes: Int64(settings.cache.bytes), limit: 256)
  }

  /// Evicts renditions beyond the limits of the cache.
  /// - Returns: Whether there may be more files to evict.
  private func evictRenditions() async throws -> Bool {
    let old = try overflow(of: .renditions).map(\.name)
    let gone = try await context.renditions.run { [layout, written = context.written] in
      let gone = written.beginEviction(old)
      defer { written.endEviction(gone) }
      for name in gone { try layout.folder.removeIfExists(layout.rendition(name)) }
      return gone
    }
    guard !gone.isEmpty else { return false }
    try await untilUnlocked()
    try store.removeEntries(gone, in: .renditions)
    return true
  }

  /// Evicts standalone resources beyond the limits of the cache.
  /// - Returns: Whether there may be more files to evict.
  private func evictStandalone() async throws -> Bool {
    let old = try overflow(of: .standalone).compactMap { Int64($0.name) }.map { ResourceID($0) }
    // Pending resources are in use, and get new entries when their requests are completed.
    let wanted = standalone.inUse
    let gone = old.filter { !wanted.contains($0) }
    guard !gone.isEmpty else { return false }
    let record = try catalog.standaloneRecord()
    let paths = try gone.compactMap { id throws(StoreError) in
      try store.resource(id)?.file.map { layout.original($0, in: record) }
    }
    try await untilUnlocked()
    // The rows are removed first, because the next start deletes a file without a row.
    try store.transaction { () throws(StoreError) in
      try store.apply(gone.map { .removed($0) })
      try store.removeEntries(gone.map(\.description), in: .standalone)
    }
    try await disk.run { [layout] in
      for path in paths { try layout.folder.removeIfExists(path) }
    }
    return true
  }

  /// Enters renditions that a killed process made and did not record, because a file without an entry would
  /// never be evicted.
  func rebuildUsage() async throws {
    let known = Set(
      try store.overflow(of: .renditions, count: 0, bytes: 0, limit: .max).map(\.name))
    let found = try await disk.run { [layout] in
      var found: [CacheEntry] = []
      for folder in try layout.folder.list(layout.renditions) where folder.kind == .folder {
        let path = "\(layout.renditions)/\(folder.name)"
        for file in try layout.folder.list(path) where file.kind == .file {
          let name = "\(folder.name)/\(file.name)"
          guard !known.contains(name) else { continue }
          // The content of a file that was written just before a power cut may be lost.
          guard RenditionCheck(layout, []).isWhole(name) else {
            try layout.folder.removeIfExists("\(path)/\(file.name)")
            continue
          }
          found.append(
            CacheEntry(name: name, bytes: try layout.folder.status("\(path)/\(file.name)").size))
        }
      }
      return found
    }
    if !found.isEmpty { try store.use(found, in: .renditions) }
  }
}
