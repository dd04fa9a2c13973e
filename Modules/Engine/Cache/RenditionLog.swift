import Persistence
import Synchronization

/// What was written below the renditions folder and is not in the book of the cache yet.
final class RenditionLog: Sendable {
  private let entries = Mutex<[CacheEntry]>([])

  var isEmpty: Bool { entries.withLock { $0.isEmpty } }

  func contains(_ name: String) -> Bool {
    entries.withLock { $0.contains { $0.name == name } }
  }

  func note(_ name: String, bytes: Int64) {
    entries.withLock { $0.append(CacheEntry(name: name, bytes: bytes)) }
  }

  /// All of it; the caller writes it down.
  func take() -> [CacheEntry] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}
