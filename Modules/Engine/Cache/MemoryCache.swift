import Synchronization

/// A cache in memory for the bytes of resources and images, which evicts the least recently used values.
///
/// Safe for concurrent use: each call holds a lock for the time of a dictionary operation. The limits
/// count the bytes of the values, without keys and tables. A limit of 0 keeps nothing, and `Int.max` is
/// no limit.
public final class MemoryCache: Sendable {
  private struct State: Sendable {
    var index: LRUIndex<String>
    var values: [String: [UInt8]] = [:]
    var hits = 0
    var misses = 0
  }

  /// Counters of the use of a cache.
  public struct Statistics: Sendable, Equatable {
    /// The number of lookups that found a value.
    public let hits: Int
    /// The number of lookups that found no value.
    public let misses: Int
    /// The number of values in the cache.
    public let count: Int
    /// The total size of the values in bytes.
    public let bytes: Int
  }

  private let state: Mutex<State>

  public init(countLimit: Int, byteLimit: Int) {
    state = Mutex(State(index: LRUIndex(countLimit: countLimit, byteLimit: byteLimit)))
  }

  /// The counters since the cache was created.
  public var statistics: Statistics {
    state.withLock {
      Statistics(
        hits: $0.hits, misses: $0.misses, count: $0.index.count, bytes: $0.index.bytes)
    }
  }

  /// Returns the value and makes it the most recently used one.
  @inline(never)  // keeps the lock out of async callers: "Traps" in Documentation/Concurrency.md
  public func value(for key: String) -> [UInt8]? {
    state.withLock { state in
      guard state.index.touch(key), let value = state.values[key] else {
        state.misses &+= 1
        return nil
      }
      state.hits &+= 1
      return value
    }
  }

  /// Stores `value`, replacing an older one of the same key.
  ///
  /// - Returns: Whether the value was stored. A value larger than the byte limit is rejected, and an older
  ///   value of the same key is removed.
  @discardableResult
  @inline(never)
  public func insert(_ value: [UInt8], for key: String) -> Bool {
    state.withLock { state in
      state.values[key] = value
      let evicted = state.index.insert(key, bytes: value.count)
      for key in evicted { state.values[key] = nil }
      return state.index.contains(key)
    }
  }

  public func remove(_ key: String) {
    state.withLock { state in
      state.index.remove(key)
      state.values[key] = nil
    }
  }

  public func removeAll() {
    state.withLock { state in
      state.index.removeAll()
      state.values = [:]
    }
  }

  /// Sets the limits and evicts the least recently used values until the cache is within the limits.
  public func resize(countLimit: Int, byteLimit: Int) {
    state.withLock { state in
      for key in state.index.resize(countLimit: countLimit, byteLimit: byteLimit) {
        state.values[key] = nil
      }
    }
  }
}
