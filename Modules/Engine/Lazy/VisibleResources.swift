import Models

/// What viewers look at, and which questions to the store about it are under way. Part of the engine's
/// isolation; pure.
struct VisibleResources {
  /// A question to the store about a record, whose answer may be older than what the engine knows.
  private struct Lookup {
    let record: RecordID
    /// Resources whose rows were written while the question was under way.
    var written: Set<ResourceID> = []
    /// Whether a verb has changed rows of the record; what is visible is then asked for anew.
    var isOutdated = false
  }

  private var tracker: ViewportBook
  /// The visible resources, by their place in the record.
  private var resources: [RecordID: [Int: ResourceID]] = [:]
  private var lookups: [UInt64: Lookup] = [:]
  private var lastLookup: UInt64 = 0

  /// - Parameters:
  ///   - rest: seconds for which a view has to rest before it counts.
  ///   - prefetch: resources on either side that are wanted next.
  init(rest: Double, prefetch: Int) { tracker = ViewportBook(rest: rest, prefetch: prefetch) }

  /// The records that somebody looks at, by id.
  var records: [RecordID] { tracker.records }
  /// Questions to the store that are under way.
  var lookupCount: Int { lookups.count }

  func parts(of record: RecordID) -> [RankedRanges.Part] { tracker.parts(of: record) }

  mutating func handle(_ event: ViewportBook.Event, now: Double) -> ViewportBook.Action {
    tracker.handle(event, now: now)
  }

  mutating func beginLookup(of record: RecordID) -> UInt64 {
    lastLookup += 1
    lookups[lastLookup] = Lookup(record: record)
    return lastLookup
  }

  mutating func endLookup(_ number: UInt64) { lookups[number] = nil }

  /// Takes the answer of a lookup: the resources from `range.lowerBound` on.
  /// - Returns: those that are visible and whose rows are as the answer says; nothing after a verb.
  mutating func take(
    _ found: [ResourceID], at range: Range<Int>, of record: RecordID, lookup number: UInt64
  ) -> Set<ResourceID> {
    for (place, id) in zip(range, found) where tracker.rank(of: place, in: record) > .rest {
      resources[record, default: [:]][place] = id
    }
    guard let lookup = lookups[number], !lookup.isOutdated else { return [] }
    return Set((resources[record] ?? [:]).values).subtracting(lookup.written)
  }

  /// Rows were written: answers that are under way may be older.
  mutating func invalidate(_ written: [ResourceID]) {
    for number in lookups.keys { lookups[number]?.written.formUnion(written) }
  }

  /// A verb has changed rows of the record: answers that are under way are of no use.
  mutating func invalidate(_ record: RecordID) {
    for number in lookups.keys where lookups[number]?.record == record {
      lookups[number]?.isOutdated = true
    }
  }

  /// Nobody looks at these places any more.
  /// - Returns: the resources there.
  mutating func remove(_ range: Range<Int>, of record: RecordID) -> [ResourceID] {
    let places = (resources[record] ?? [:]).keys.filter { range.contains($0) }
    let ids = places.compactMap { resources[record]?.removeValue(forKey: $0) }
    if resources[record]?.isEmpty ?? false { resources[record] = nil }
    return ids
  }

  /// The record is gone, or its places have moved: viewers say anew what they look at.
  mutating func forget(_ record: RecordID) { resources[record] = nil }
}
