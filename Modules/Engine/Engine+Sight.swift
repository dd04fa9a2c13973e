public import LibraryAPI
public import Models
import Persistence
import SystemCalls

/// What viewers look at comes first; of a lazy record it is all that comes (LZ2).
extension Engine {
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
    for part in visible.parts(of: record) {
      beginRaising(part.range, of: record, part.rank)
    }
  }

  func follow(_ event: ViewportBook.Event) {
    let action = visible.handle(event, now: ports.clock.now())
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
    let number = visible.beginLookup(of: record)
    Task {
      await self.raise(range, of: record, rank == .visible ? .visible : .prefetch, number)
      self.visible.endLookup(number)
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
      let current = visible.take(found.map(\.id), at: range, of: record, lookup: number)
      let wanted = items.filter { current.contains($0.subscriber.resource.id) }
      if !wanted.isEmpty { send(.wanted(wanted)) }
    } catch {
      if !isStopping { fail(LibraryError.wrapping(error)) }
    }
  }

  private func lower(_ range: Range<Int>, of record: RecordID) {
    let ids = visible.remove(range, of: record)
    if !ids.isEmpty { send(.unwanted(ids)) }
  }
}
