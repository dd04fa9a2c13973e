import Models

/// The ranges that viewers show, with the ids of the resources in them. Part of the engine's isolation;
/// pure.
struct VisibleResources {
  private var tracker: ViewportTracker
  /// The ids of the visible resources, by position in the record.
  private var resources: [RecordID: [Int: ResourceID]] = [:]

  /// - Parameters:
  ///   - rest: The seconds for which a range must be unchanged before it takes effect.
  ///   - prefetch: The number of resources on either side that are requested after the visible ones.
  init(rest: Double, prefetch: Int) { tracker = ViewportTracker(rest: rest, prefetch: prefetch) }

  /// The records with at least one viewer, ordered by id.
  var records: [RecordID] { tracker.records }

  func parts(of record: RecordID) -> [PrecedenceRanges.Part] { tracker.parts(of: record) }

  /// Returns the viewed ranges of a record, clipped to `range`.
  func parts(of record: RecordID, within range: Range<Int>) -> [PrecedenceRanges.Part] {
    tracker.parts(of: record).compactMap { part in
      let shared = part.range.clamped(to: range)
      return shared.isEmpty
        ? nil : PrecedenceRanges.Part(range: shared, precedence: part.precedence)
    }
  }

  mutating func handle(_ event: ViewportTracker.Event, now: Double) -> ViewportTracker.Action {
    tracker.handle(event, now: now)
  }

  /// Registers the resources at the visible positions from `start` on.
  mutating func register(_ found: [ResourceID], from start: Int, of record: RecordID) {
    for (offset, id) in found.enumerated() { resources[record, default: [:]][start + offset] = id }
  }

  /// Removes the resources at positions that no viewer shows any more.
  /// - Returns: The ids of those resources.
  mutating func remove(_ range: Range<Int>, of record: RecordID) -> [ResourceID] {
    let places = (resources[record] ?? [:]).keys.filter { range.contains($0) }
    let ids = places.compactMap { resources[record]?.removeValue(forKey: $0) }
    if resources[record]?.isEmpty ?? false { resources[record] = nil }
    return ids
  }

  /// Removes the resources of a record that was removed or whose positions have changed; viewers then
  /// report their ranges again.
  mutating func removeAll(_ record: RecordID) { resources[record] = nil }
}
