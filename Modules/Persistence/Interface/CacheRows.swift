/// Queries on the entries of the caches on disk and on their order of use.
public protocol CacheRows {
  /// Returns the entries to evict so that the cache has at most `count` entries and `bytes` bytes, least
  /// recently used first, but at most `limit` of them. The cost grows with the number of entries returned,
  /// not with the size of the cache.
  func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) throws(StoreError) -> [CacheEntry]
  /// Returns the entries of the given names, in their order; names that the cache does not contain are left out.
  func entries(
    named names: [String], in cache: CacheName
  ) throws(StoreError) -> [CacheEntry]
  /// Returns the number of entries in the cache and their total size in bytes.
  func size(of cache: CacheName) throws(StoreError) -> CacheSize
}

/// The rows of the caches' entries. The store deletes no cache files: to evict entries, the caller deletes
/// their files first and then calls `removeEntries`.
public protocol CacheTable: CacheRows {
  /// Makes `entries` the most recently used ones of the cache, the last one being the most recent. Adds new
  /// names, and replaces the sizes of existing ones.
  func use(_ entries: [CacheEntry], in cache: CacheName) throws(StoreError)
  /// Makes those of `names` that the cache contains the most recently used entries, in order; ignores the
  /// others.
  func touch(_ names: [String], in cache: CacheName) throws(StoreError)
  func removeEntries(_ names: [String], in cache: CacheName) throws(StoreError)
}
