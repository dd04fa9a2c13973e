public import Models
import ProgressTree

/// A change of a resource's activity that the engine has reported as an event.
public struct Transition: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    case started
    /// The transfer has failed and is waiting for a retry.
    case retrying
    case finished, failed
  }

  public var kind: Kind
  public var record: RecordID
  /// The sequence number of the event.
  public var seq: UInt64

  public init(_ kind: Kind, _ record: RecordID, seq: UInt64) {
    self.kind = kind
    self.record = record
    self.seq = seq
  }
}

/// The last transition of each resource. A snapshot of a large library takes long to arrive, so events
/// overtake it; applying the transitions to the snapshot brings it up to date.
public struct Transitions: Sendable {
  private var entries: [ResourceID: Transition] = [:]

  public init() {}

  public mutating func register(_ id: ResourceID, _ transition: Transition) {
    entries[id] = transition
  }

  public mutating func removeAll() { entries = [:] }

  /// Returns the transitions that a snapshot does not include, and drops the others, which all later
  /// snapshots include as well.
  /// - Parameter seq: The sequence number of the last event that the snapshot includes; nil if it is unknown.
  public mutating func newer(than seq: UInt64?) -> [ResourceID: Transition] {
    guard let seq else {
      entries = [:]
      return [:]
    }
    entries = entries.filter { $0.value.seq > seq }
    return entries
  }
}

extension LibrarySnapshot {
  /// Applies the transitions that are newer than the snapshot. The snapshot includes all older ones already.
  public mutating func apply(_ transitions: [ResourceID: Transition]) {
    for (id, transition) in transitions where seq.map({ transition.seq > $0 }) ?? true {
      if transition.kind == .started {
        start(id, of: transition.record)
      } else {
        finish(id, transition)
      }
    }
  }

  private mutating func start(_ id: ResourceID, of record: RecordID) {
    guard activities[id] == nil else { return }
    activities[id] = .downloading(received: 0, expected: nil)
    active += 1
    progress.activity.downloading += 1
    records[record]?.activity.downloading += 1
  }

  /// Ends the activity of a resource and counts the resource as finished or failed. Does nothing if the
  /// snapshot lists no activity of the resource, because its counters then include the end already.
  private mutating func finish(_ id: ResourceID, _ transition: Transition) {
    guard let activity = activities.removeValue(forKey: id) else { return }
    if case .downloading = activity { active = max(0, active - 1) }
    progress.activity.decrement(activity)
    if progress.activity.downloading == 0 { progress.bytesPerSecond = 0 }
    if transition.kind == .failed { progress.failed += 1 }
    if transition.kind == .finished { progress.finished += 1 }
    guard var record = records[transition.record] else { return }
    record.activity.decrement(activity)
    if transition.kind == .failed { record.failed += 1 }
    if transition.kind == .finished { record.finished += 1 }
    if record.settled >= record.total { record.fraction = 1 }
    records[transition.record] = record
  }
}

extension ActivityCounts {
  fileprivate mutating func decrement(_ activity: ResourceActivity) {
    switch activity {
    case .downloading: downloading = max(0, downloading - 1)
    case .unzipping: unzipping = max(0, unzipping - 1)
    case .rendering: rendering = max(0, rendering - 1)
    }
  }
}
