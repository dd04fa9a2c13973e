import Models

/// What viewers look at, and which resources that are. Part of the engine's isolation; pure.
struct VisibleResources {
  private var tracker: ViewportTracker
  /// The visible resources, by their place in the record.
  private var resources: [RecordID: [Int: ResourceID]] = [:]

  /// - Parameters:
  ///   - rest: seconds for which a view has to rest before it counts.
  ///   - prefetch: resources on either side that are wanted next.
  init(rest: Double, prefetch: Int) { tracker = ViewportTracker(rest: rest, prefetch: prefetch) }

  /// The records that somebody looks at, by id.
  var records: [RecordID] { tracker.records }

  func parts(of record: RecordID) -> [RankedRanges.Part] { tracker.parts(of: record) }

  /// What is looked at within a range of places.
  func parts(of record: RecordID, within range: Range<Int>) -> [RankedRanges.Part] {
    tracker.parts(of: record).compactMap { part in
      let shared = part.range.clamped(to: range)
      return shared.isEmpty ? nil : RankedRanges.Part(range: shared, rank: part.rank)
    }
  }

  mutating func handle(_ event: ViewportTracker.Event, now: Double) -> ViewportTracker.Action {
    tracker.handle(event, now: now)
  }

  /// These resources are at the places from `start` on, all of which are looked at.
  mutating func note(_ found: [ResourceID], from start: Int, of record: RecordID) {
    for (offset, id) in found.enumerated() { resources[record, default: [:]][start + offset] = id }
  }

  /// Nobody looks at these places any more.
  /// - Returns: the resources there.
  mutating func remove(_ range: Range<Int>, of record: RecordID) -> [ResourceID] {
    let places = (resources[record] ?? [:]).keys.filter { range.contains($0) }
    let ids = places.compactMap { resources[record]?.removeValue(forKey: $0) }
    if resources[record]?.isEmpty ?? false { resources[record] = nil }
    return ids
  }

  /// The record is gone, or its places have moved: viewers say again what they look at.
  mutating func forget(_ record: RecordID) { resources[record] = nil }
}
