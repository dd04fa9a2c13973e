import Synchronization

/// Bytes of resources and pictures in memory, the least recently used of which go first.
///
/// Safe for simultaneous use: each call takes a lock for as long as a dictionary takes. The bounds
/// count the bytes of the values, not what their names and the tables cost. A bound of 0 keeps
/// nothing, `Int.max` is no bound.
public final class MemoryCache: Sendable {
  private struct State: Sendable {
    var index: LRUIndex<String>
    var values: [String: [UInt8]] = [:]
    var hits = 0
    var misses = 0
  }

  /// How the cache is doing.
  public struct Statistics: Sendable, Equatable {
    /// Values asked for that were there.
    public let hits: Int
    /// Values asked for that were not.
    public let misses: Int
    /// Values that are there.
    public let count: Int
    /// Their bytes.
    public let bytes: Int
  }

  private let state: Mutex<State>

  public init(countLimit: Int, byteLimit: Int) {
    state = Mutex(State(index: LRUIndex(countLimit: countLimit, byteLimit: byteLimit)))
  }

  /// Since the cache was made.
  public var statistics: Statistics {
    state.withLock {
      Statistics(
        hits: $0.hits, misses: $0.misses, count: $0.index.count, bytes: $0.index.bytes)
    }
  }

  /// The value, which becomes the most recently used one.
  @inline(never)  // see "Traps" in Documentation/Concurrency.md
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

  /// Holds `value` in place of an older one of that name.
  ///
  /// - Returns: whether it is held. What is larger than the whole cache is not, and nothing of that
  ///   name is after it.
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

  /// Sets the bounds; what is over them goes at once.
  public func resize(countLimit: Int, byteLimit: Int) {
    state.withLock { state in
      for key in state.index.resize(countLimit: countLimit, byteLimit: byteLimit) {
        state.values[key] = nil
      }
    }
  }
}
