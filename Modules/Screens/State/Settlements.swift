public import Models
import ProgressTree

/// That a resource is settled, as an event told it.
public struct Settlement: Sendable, Equatable {
  public var record: RecordID
  public var isFailed: Bool

  public init(_ record: RecordID, isFailed: Bool) {
    self.record = record
    self.isFailed = isFailed
  }
}

/// What events have told of settled resources, as long as a snapshot may come that does not know it: one of a
/// large library is long on its way, and events overtake it.
public struct Settlements: Sendable {
  private var entries: [ResourceID: (seq: UInt64, settlement: Settlement)] = [:]

  public init() {}

  /// - Parameter seq: the number of the event.
  public mutating func note(_ id: ResourceID, _ settlement: Settlement, seq: UInt64) {
    entries[id] = (seq, settlement)
  }

  /// The resource is at work again.
  public mutating func forget(_ id: ResourceID) { entries[id] = nil }

  public mutating func removeAll() { entries = [:] }

  /// What a snapshot does not know. What it knows is forgotten: the next one knows it as well.
  /// - Parameter seq: of the last event that the snapshot knows; nil: it does not tell.
  public mutating func newer(than seq: UInt64?) -> [ResourceID: Settlement] {
    guard let seq else {
      entries = [:]
      return [:]
    }
    entries = entries.filter { $0.value.seq > seq }
    return entries.mapValues(\.settlement)
  }
}

extension LibraryFacts {
  /// Takes what was settled after the snapshot out of what is at work. What is not at work any more was counted
  /// before.
  public mutating func settle(_ settled: [ResourceID: Settlement]) {
    for (id, settlement) in settled {
      guard let activity = activities.removeValue(forKey: id) else { continue }
      if case .downloading = activity { active = max(0, active - 1) }
      progress.activity.leave(activity)
      if progress.activity.downloading == 0 { progress.bytesPerSecond = 0 }
      if settlement.isFailed { progress.failed += 1 } else { progress.finished += 1 }
      guard var record = records[settlement.record] else { continue }
      record.activity.leave(activity)
      if settlement.isFailed { record.failed += 1 } else { record.finished += 1 }
      if record.settled >= record.total { record.fraction = 1 }
      records[settlement.record] = record
    }
  }
}

extension ActivityCounts {
  fileprivate mutating func leave(_ activity: ResourceActivity) {
    switch activity {
    case .downloading: downloading = max(0, downloading - 1)
    case .unzipping: unzipping = max(0, unzipping - 1)
    case .rendering: rendering = max(0, rendering - 1)
    }
  }
}
