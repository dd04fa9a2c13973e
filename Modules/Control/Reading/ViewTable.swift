import Models
import Persistence
import Synchronization

/// A selection of a record's resources, fixed when it was made: rows that are added, removed or change their
/// state later do not move the others, so that a client can jump to any index.
struct ResourceView: Sendable {
  let id: UInt64
  let record: RecordID
  let resources: [ResourceID]

  /// Returns the ids from an index on, at most `count`.
  func resources(from: Int, count: Int) -> [ResourceID] {
    Array(resources.dropFirst(from).prefix(count))
  }
}

/// The views of all clients. A view is forgotten ten minutes after its last use, or when newer views need its
/// memory. Has no side effects.
struct ViewTable: Sendable {
  private struct Entry {
    let view: ResourceView
    /// The time of the last use on the server's clock, in seconds.
    var time: Double
  }

  static let keptSeconds = 600.0
  static let countLimit = 64
  /// The maximum number of ids in all views, of 8 bytes each.
  static let resourceLimit = 8_000_000

  private var entries: [UInt64: Entry] = [:]
  private var resourceCount = 0

  /// Adds a view. The least recently used ones make room for it; a single view may be larger than the limit.
  mutating func insert(_ view: ResourceView, now: Double) {
    for (id, entry) in entries where entry.time + Self.keptSeconds <= now { remove(id) }
    while !entries.isEmpty,
      entries.count >= Self.countLimit
        || resourceCount + view.resources.count > Self.resourceLimit
    {
      guard let oldest = entries.min(by: { $0.value.time < $1.value.time }) else { break }
      remove(oldest.key)
    }
    entries[view.id] = Entry(view: view, time: now)
    resourceCount += view.resources.count
  }

  /// Returns a view, or nil if it was forgotten.
  mutating func view(_ id: UInt64, now: Double) -> ResourceView? {
    guard let entry = entries[id] else { return nil }
    guard entry.time + Self.keptSeconds > now else {
      remove(id)
      return nil
    }
    entries[id]?.time = now
    return entry.view
  }

  mutating func remove(_ id: UInt64) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    resourceCount -= entry.view.resources.count
  }
}
