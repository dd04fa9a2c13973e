/// What the caches on disk hold and in which order it was used.
public protocol CacheRows {
  /// What has to go so that the rest is within both bounds: the least recently used first, at most
  /// `limit`. Cost by what is returned, not by what is held.
  func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) throws(StoreError) -> [CacheEntry]
  /// How much it holds.
  func size(of cache: CacheName) throws(StoreError) -> CacheSize
}

/// The store only keeps the book; the caller removes evicted files first, then calls `forget`.
public protocol CacheTable: CacheRows {
  /// The entries become the most recently used ones, the last of them the very last. New names are
  /// added; a known one takes the new size.
  func use(_ entries: [CacheEntry], in cache: CacheName) throws(StoreError)
  /// Known names become the most recently used ones, in order; others are passed over.
  func touch(_ names: [String], in cache: CacheName) throws(StoreError)
  func forget(_ names: [String], in cache: CacheName) throws(StoreError)
}
