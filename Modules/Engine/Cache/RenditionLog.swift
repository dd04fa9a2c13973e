import Persistence
import Synchronization

/// What was written below the renditions folder and is not in the book of the cache yet, and what is
/// being written or evicted there: of one name not both at a time.
final class RenditionLog: Sendable {
  private struct State {
    var entries: [CacheEntry] = []
    /// Equal originals have pictures of the same name: how many write it.
    var writers: [String: Int] = [:]
    var leaving: Set<String> = []

    mutating func stopWriting(_ name: String) {
      writers[name] = writers[name].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  private let state = Mutex(State())

  var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

  /// A file is there, made in the queue in which others are evicted.
  func note(_ name: String, bytes: Int64) {
    state.withLock { $0.entries.append(CacheEntry(name: name, bytes: bytes)) }
  }

  /// A file is about to be written in another thread; `end` or `giveUp` comes next.
  /// - Returns: false if it must not be now: the one of that name is leaving.
  func begin(_ name: String) -> Bool {
    state.withLock { state in
      guard !state.leaving.contains(name) else { return false }
      state.writers[name, default: 0] += 1
      return true
    }
  }

  /// It is there.
  func end(_ name: String, bytes: Int64) {
    state.withLock { state in
      state.stopWriting(name)
      state.entries.append(CacheEntry(name: name, bytes: bytes))
    }
  }

  func giveUp(_ name: String) { state.withLock { $0.stopWriting(name) } }

  /// All of it; the caller writes it down.
  func take() -> [CacheEntry] {
    state.withLock { state in
      defer { state.entries = [] }
      return state.entries
    }
  }

  /// Files are about to be removed; `haveLeft` comes next.
  /// - Parameter old: as the book says.
  /// - Returns: those that may be: what has just been written again is newer than the book says.
  func letLeave(_ old: [String]) -> [String] {
    state.withLock { state in
      let new = Set(state.entries.map(\.name))
      let leaving = old.filter { !new.contains($0) && state.writers[$0] == nil }
      state.leaving.formUnion(leaving)
      return leaving
    }
  }

  func haveLeft(_ names: [String]) { state.withLock { $0.leaving.subtract(names) } }
}
