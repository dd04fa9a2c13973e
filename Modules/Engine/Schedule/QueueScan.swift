import Models
import Persistence

/// The position of the scheduler in the queue of the store, which is read by priorities in several queries. Part
/// of the scheduler.
struct QueueScan: Sendable {
  /// The priority whose resources are loaded next; nil if the whole queue was loaded.
  private var priority: RecordPriority?
  /// The last resource of the priority that was loaded; nil for none.
  private var cursor: ResourceID?
  private(set) var isLoading = false
  /// Whether the queue has changed since the running query began, so that its result does not count.
  private var isStale = false
  /// Resources whose rows were written while the store was being queried; the result may be older.
  private var committedMeanwhile = KeySet<ResourceID>()

  /// Whether the whole queue was loaded.
  var isComplete: Bool { priority == nil }

  /// Begins again from the front, because resources may have been queued anywhere.
  mutating func restart() {
    priority = .high
    cursor = nil
    isStale = isLoading
  }

  /// Returns the next query; nil if the whole queue was loaded.
  mutating func beginLoad(count: Int) -> Scheduler.Load? {
    guard let priority else { return nil }
    isLoading = true
    return Scheduler.Load(priority: priority, after: cursor, count: count)
  }

  /// Records that rows were written, which a running query may return in their earlier state.
  mutating func recordCommits(of ids: [ResourceID]) {
    if isLoading { committedMeanwhile.formUnion(ids) }
  }

  /// Ends a query.
  /// - Parameters:
  ///   - last: The last resource of the result; nil for an empty one.
  ///   - isEnd: Whether no resource of the priority is left.
  /// - Returns: The resources whose rows were written meanwhile; nil if the result does not count.
  mutating func endLoad(last: ResourceID?, isEnd: Bool) -> KeySet<ResourceID>? {
    isLoading = false
    defer { committedMeanwhile = KeySet() }
    if isStale {
      isStale = false
      return nil
    }
    cursor = last ?? cursor
    if isEnd {
      priority = priority.flatMap(Self.following)
      cursor = nil
    }
    return committedMeanwhile
  }

  private static func following(_ priority: RecordPriority) -> RecordPriority? {
    switch priority {
    case .high: .normal
    case .normal: .low
    case .low: nil
    }
  }
}
