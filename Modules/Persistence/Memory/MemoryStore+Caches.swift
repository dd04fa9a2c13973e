public import Persistence

extension MemoryStore {
  public func use(_ entries: [CacheEntry], in cache: CacheName) throws(StoreError) {
    try checkOpen()
    for entry in entries { books[cache, default: CacheBook()].use(entry) }
  }

  public func touch(_ names: [String], in cache: CacheName) throws(StoreError) {
    try checkOpen()
    for name in names { books[cache]?.touch(name) }
  }

  public func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) throws(StoreError) -> [CacheEntry] {
    try checkOpen()
    return books[cache]?.overflow(count: count, bytes: bytes, limit: limit) ?? []
  }

  public func forget(_ names: [String], in cache: CacheName) throws(StoreError) {
    try checkOpen()
    for name in names { books[cache]?.forget(name) }
  }

  public func size(of cache: CacheName) throws(StoreError) -> CacheSize {
    try checkOpen()
    return books[cache]?.size ?? CacheSize()
  }
}
