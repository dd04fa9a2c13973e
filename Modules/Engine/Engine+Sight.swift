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
    for part in visible.parts(of: record) { raise(part.range, of: record) }
  }

  func follow(_ event: ViewportTracker.Event) {
    let action = visible.handle(event, now: ports.clock.now())
    for (record, range) in action.lower { lower(range, of: record) }
    for raised in action.raise { raise(raised.range, of: raised.record) }
    guard let wake = action.wake else { return }
    resting.set(wake, ports.clock) { [weak self] in await self?.rested() }
  }

  private func rested() {
    resting.clear()
    follow(.tick)
  }

  /// Places of a record that are looked at in one turn; the others follow in turns of their own.
  private static let placesInTurn = 256

  /// Asks for what is queued at places that are looked at.
  private func raise(_ range: Range<Int>, of record: RecordID) {
    guard isStarted, !isStopping else { return }
    let first = range.lowerBound..<min(range.upperBound, range.lowerBound &+ Self.placesInTurn)
    do {
      guard let row = try store.record(record), !row.isStandalone, !records.isRemoved(record) else {
        return
      }
      for part in visible.parts(of: record, within: first) { try raise(part, of: row) }
      guard first.upperBound < min(range.upperBound, row.counts.total) else { return }
    } catch {
      return fail(LibraryError.wrapping(error))
    }
    continueLater { $0.raise(first.upperBound..<range.upperBound, of: record) }
  }

  private func raise(_ part: RankedRanges.Part, of record: Record) throws(StoreError) {
    let found = try store.resources(
      of: record.id, offset: part.range.lowerBound, limit: part.range.count)
    if part.rank == .visible { renewPages(of: found) }
    // One that is paused is looked at again when it is resumed.
    guard !record.isPaused else { return }
    if !announcer.isTracked(record.id) { track(record) }
    visible.note(found.map(\.id), from: part.range.lowerBound, of: record.id)
    let wanted = try items(
      found.filter { $0.state == .queued },
      raised: part.rank == .visible ? .visible : .prefetch)
    if !wanted.isEmpty { send(.wanted(wanted)) }
  }

  /// Does the rest of something long in another turn, so that others come between. The engine is not
  /// idle before.
  func continueLater(_ body: @escaping @Sendable (isolated Engine) -> Void) {
    verbs.beginPart()
    Task {
      verbs.endPart()
      body(self)
      noteIfIdle()
    }
  }

  private func lower(_ range: Range<Int>, of record: RecordID) {
    let ids = visible.remove(range, of: record)
    if !ids.isEmpty { send(.unwanted(ids)) }
  }
}
