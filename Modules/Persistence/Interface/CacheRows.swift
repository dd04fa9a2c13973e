/// What the caches on disk hold and in which order it was used.
///
/// The store only keeps the book; whoever evicts removes the files first, then calls `forget`.
public protocol CacheRows: Sendable {
  /// The entries become the most recently used ones, the last of them the very last. New names are
  /// added; a known one takes the new size.
  @concurrent
  func use(_ entries: [CacheEntry], in cache: CacheName) async throws(StoreError)
  /// Known names become the most recently used ones, in order; others are passed over.
  @concurrent func touch(_ names: [String], in cache: CacheName) async throws(StoreError)
  /// What has to go so that the rest is within both bounds: the least recently used first, at most
  /// `limit`. Cost by what is returned, not by what is held.
  @concurrent
  func overflow(
    of cache: CacheName, count: Int, bytes: Int64, limit: Int
  ) async throws(StoreError) -> [CacheEntry]
  @concurrent func forget(_ names: [String], in cache: CacheName) async throws(StoreError)
  /// How much it holds.
  @concurrent func size(of cache: CacheName) async throws(StoreError) -> CacheSize
}
