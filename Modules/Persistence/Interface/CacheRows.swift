/// Queries on the entries of the caches on disk and on their order of use.
public protocol CacheRows {
  /// Returns the entries to evict so that the cache fits both bounds, least recently used first and at most
  /// `limit` of them. The cost grows with the number of entries returned, not with the size of the cache.
  func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) throws(StoreError) -> [CacheEntry]
  /// Returns the number of entries in the cache and their total size.
  func size(of cache: CacheName) throws(StoreError) -> CacheSize
}

/// The caches' bookkeeping. The store deletes no cache files: the caller deletes the evicted files first,
/// then calls `removeEntries`.
public protocol CacheTable: CacheRows {
  /// Makes `entries` the most recently used ones of the cache; the last is the most recent. Adds new names,
  /// and replaces the size of known ones.
  func use(_ entries: [CacheEntry], in cache: CacheName) throws(StoreError)
  /// Makes the known ones among `names` the most recently used entries, in order, and ignores the others.
  func touch(_ names: [String], in cache: CacheName) throws(StoreError)
  func removeEntries(_ names: [String], in cache: CacheName) throws(StoreError)
}
