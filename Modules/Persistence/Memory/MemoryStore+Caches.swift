public import Persistence

extension MemoryStore {
  public func use(_ entries: [CacheEntry], in cache: CacheName) throws(StoreError) {
    try write { () throws(StoreError) in
      for entry in entries { tables.cacheUsage[cache, default: CacheUsage()].use(entry) }
    }
  }

  public func touch(_ names: [String], in cache: CacheName) throws(StoreError) {
    try write { () throws(StoreError) in
      for name in names { tables.cacheUsage[cache]?.touch(name) }
    }
  }

  public func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) throws(StoreError) -> [CacheEntry] {
    try checkOpen()
    return tables.cacheUsage[cache]?.overflow(count: count, bytes: bytes, limit: limit) ?? []
  }

  public func removeEntries(_ names: [String], in cache: CacheName) throws(StoreError) {
    try write { () throws(StoreError) in
      for name in names { tables.cacheUsage[cache]?.forget(name) }
    }
  }

  public func entries(
    named names: [String], in cache: CacheName
  ) throws(StoreError) -> [CacheEntry] {
    try checkOpen()
    return names.compactMap { tables.cacheUsage[cache]?.entry($0) }
  }

  public func size(of cache: CacheName) throws(StoreError) -> CacheSize {
    try checkOpen()
    return tables.cacheUsage[cache]?.size ?? CacheSize()
  }
}
