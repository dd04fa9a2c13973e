public import Persistence

extension MemoryStore {
  public func use(_ entries: [CacheEntry], in cache: CacheName) throws(StoreError) {
    try write { () throws(StoreError) in
      for entry in entries { tables.books[cache, default: CacheUsage()].use(entry) }
    }
  }

  public func touch(_ names: [String], in cache: CacheName) throws(StoreError) {
    try write { () throws(StoreError) in
      for name in names { tables.books[cache]?.touch(name) }
    }
  }

  public func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) throws(StoreError) -> [CacheEntry] {
    try checkOpen()
    return tables.books[cache]?.overflow(count: count, bytes: bytes, limit: limit) ?? []
  }

  public func removeEntries(_ names: [String], in cache: CacheName) throws(StoreError) {
    try write { () throws(StoreError) in
      for name in names { tables.books[cache]?.forget(name) }
    }
  }

  public func size(of cache: CacheName) throws(StoreError) -> CacheSize {
    try checkOpen()
    return tables.books[cache]?.size ?? CacheSize()
  }
}
