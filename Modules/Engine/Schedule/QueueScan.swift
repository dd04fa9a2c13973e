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
  /// Whether the queue has changed since the load began, whose query may have another position now.
  private var isStale = false

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

  /// Ends a query.
  /// - Parameters:
  ///   - last: The last resource of the result; nil for an empty one.
  ///   - isEnd: Whether no resource of the priority is left.
  /// - Returns: Whether the result counts.
  mutating func endLoad(last: ResourceID?, isEnd: Bool) -> Bool {
    isLoading = false
    if isStale {
      isStale = false
      return false
    }
    cursor = last ?? cursor
    if isEnd {
      priority = priority.flatMap(Self.following)
      cursor = nil
    }
    return true
  }

  private static func following(_ priority: RecordPriority) -> RecordPriority? {
    switch priority {
    case .high: .normal
    case .normal: .low
    case .low: nil
    }
  }
}
