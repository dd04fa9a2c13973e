public import LibraryAPI
public import Models
import Persistence
import SystemCalls

/// What viewers look at comes first; of a lazy record it is all that comes (LZ2).
extension Engine {
  /// A question to the store about a record, whose answer may be older than what is known here.
  struct Lookup {
    let record: RecordID
    /// Rows that were written meanwhile.
    var written: Set<ResourceID> = []
    /// A verb has changed rows of the record meanwhile; what is in sight is asked for anew.
    var isOutdated = false
  }

  public func look(at range: Range<Int>, of record: RecordID, as viewer: ViewerID) {
    // No window shows more, whatever a client says.
    let end = range.lowerBound.addingReportingOverflow(min(range.count, Self.widestView))
    follow(.looked(viewer, record, range.lowerBound..<(end.overflow ? .max : end.partialValue)))
  }

  private static let widestView = 10_000

  public func lookAway(from record: RecordID?, as viewer: ViewerID) {
    follow(.left(viewer, record))
  }

  /// What is looked at is wanted again: the record was set aside, places in it have moved, or what
  /// was settled is queued again.
  func lookAgain(at record: RecordID) {
    for part in viewports.parts(of: record) {
      beginRaising(part.range, of: record, part.rank)
    }
  }

  func follow(_ event: ViewportBook.Event) {
    let action = viewports.handle(event, now: ports.clock.now())
    for (record, range) in action.lower { lower(range, of: record) }
    for (record, range, rank) in action.raise {
      beginRaising(range, of: record, rank)
    }
    guard let wake = action.wake else { return }
    let clock = ports.clock
    resting?.cancel()
    resting = Task { [weak self] in
      guard (try? await clock.sleep(until: wake)) != nil else { return }
      await self?.rested()
    }
  }

  private func rested() { follow(.tick) }

  private func beginRaising(_ range: Range<Int>, of record: RecordID, _ rank: Rank) {
    lastLookup += 1
    let number = lastLookup
    lookups[number] = Lookup(record: record)
    Task {
      await self.raise(range, of: record, rank == .visible ? .visible : .prefetch, number)
      self.lookups[number] = nil
      self.noteIfIdle()
    }
  }

  private func raise(
    _ range: Range<Int>, of record: RecordID, _ precedence: Precedence, _ number: UInt64
  ) async {
    do {
      let found = try await store.resources(
        of: record, offset: range.lowerBound, limit: range.count)
      guard let row = try await store.record(record), !row.isLoose, isStarted else { return }
      if precedence == .visible { try await renewPages(of: found) }
      // One that is paused or resumed meanwhile is looked at again.
      guard !row.isPaused else { return }
      try await trackNow(record)
      let items = try await items(
        found.filter { $0.state == .queued }, raised: precedence)
      for (place, resource) in zip(range, found)
      where viewports.rank(of: place, in: record) > .rest {
        inSight[record, default: [:]][place] = resource.id
      }
      // Meanwhile somebody may have looked away.
      let seen = Set((inSight[record] ?? [:]).values)
      guard let lookup = lookups[number], !lookup.isOutdated else { return }
      let wanted = items.filter { item in
        let id = item.subscriber.resource.id
        return seen.contains(id) && !lookup.written.contains(id)
      }
      if !wanted.isEmpty { send(.wanted(wanted)) }
    } catch {
      if !isStopping { fail(LibraryError.wrapping(error)) }
    }
  }

  private func lower(_ range: Range<Int>, of record: RecordID) {
    let places = (inSight[record] ?? [:]).keys.filter { range.contains($0) }
    let ids = places.compactMap { inSight[record]?.removeValue(forKey: $0) }
    if inSight[record]?.isEmpty ?? false { inSight[record] = nil }
    if !ids.isEmpty { send(.unwanted(ids)) }
  }
}
