import Persistence
import Synchronization

/// The renditions that were written and have no entry in the cache's usage records yet, and those being
/// written or evicted now. A name is never written and evicted at the same time.
final class RenditionLog: Sendable {
  private struct State {
    var entries: [CacheEntry] = []
    /// The number of writers of each name. Equal originals have renditions of the same name.
    var writers: [String: Int] = [:]
    var beingEvicted: Set<String> = []

    mutating func stopWriting(_ name: String) {
      writers[name] = writers[name].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  private let state = Mutex(State())

  var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

  /// Records a file that was moved into place on the queue of the evictions, so that no eviction runs
  /// meanwhile.
  func recordFile(_ name: String, bytes: Int64) {
    state.withLock { $0.entries.append(CacheEntry(name: name, bytes: bytes)) }
  }

  /// Begins to write a file on another thread; the caller then calls `endWriting` or `cancelWriting`.
  /// - Returns: false if the file of that name is being evicted, so that it must not be written now.
  func beginWriting(_ name: String) -> Bool {
    state.withLock { state in
      guard !state.beingEvicted.contains(name) else { return false }
      state.writers[name, default: 0] += 1
      return true
    }
  }

  /// Records that the file was written.
  func endWriting(_ name: String, bytes: Int64) {
    state.withLock { state in
      state.stopWriting(name)
      state.entries.append(CacheEntry(name: name, bytes: bytes))
    }
  }

  func cancelWriting(_ name: String) { state.withLock { $0.stopWriting(name) } }

  /// Returns the recorded entries of the given names, the last one of each name last.
  func entries(named names: some Sequence<String>) -> [CacheEntry] {
    let names = Set(names)
    return state.withLock { state in state.entries.filter { names.contains($0.name) } }
  }

  /// Removes and returns all recorded entries; the caller writes them to the store.
  func drain() -> [CacheEntry] {
    state.withLock { state in
      defer { state.entries = [] }
      return state.entries
    }
  }

  /// Begins to evict files; the caller then calls `endEviction`.
  /// - Parameter old: The least recently used renditions according to the store.
  /// - Returns: The files that may be evicted: neither being written nor written since the store's last
  ///   entry.
  func beginEviction(_ old: [String]) -> [String] {
    state.withLock { state in
      let new = Set(state.entries.map(\.name))
      let beingEvicted = old.filter { !new.contains($0) && state.writers[$0] == nil }
      state.beingEvicted.formUnion(beingEvicted)
      return beingEvicted
    }
  }

  func endEviction(_ names: [String]) { state.withLock { $0.beingEvicted.subtract(names) } }
}
