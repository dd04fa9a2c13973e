public import LibraryAPI
public import Models
import Persistence
import SystemCalls

/// Resources that viewers look at are downloaded first; of a lazy record, only those are (LZ2).
extension Engine {
  public func setVisibleRange(_ range: Range<Int>, of record: RecordID, for viewer: ViewerID) {
    // Limits the range, because no window shows more resources than this.
    let end = range.lowerBound.addingReportingOverflow(min(range.count, Self.widestView))
    handleViewportEvent(
      .looked(viewer, record, range.lowerBound..<(end.overflow ? .max : end.partialValue)))
  }

  private static let widestView = 10_000

  public func clearVisibleRange(of record: RecordID?, for viewer: ViewerID) {
    handleViewportEvent(.left(viewer, record))
  }

  /// Requests the viewed resources again, because the record was dropped, places in it have moved or
  /// settled resources were queued again.
  func refreshVisibleRanges(of record: RecordID) {
    for part in visible.parts(of: record) { requestResources(in: part.range, of: record) }
  }

  func handleViewportEvent(_ event: ViewportTracker.Event) {
    let action = visible.handle(event, now: ports.clock.now())
    for (record, range) in action.lower { withdrawRequests(in: range, of: record) }
    for raised in action.raise { requestResources(in: raised.range, of: raised.record) }
    guard let wake = action.wake else { return }
    resting.set(wake, ports.clock) { [weak self] in await self?.rested() }
  }

  private func rested() {
    resting.clear()
    handleViewportEvent(.tick)
  }

  /// The number of places handled in one turn; the others follow in further turns.
  private static let placesInTurn = 256

  /// Requests the queued resources in the viewed part of a range.
  private func requestResources(in range: Range<Int>, of record: RecordID) {
    guard isStarted, !isStopping else { return }
    let first = range.lowerBound..<min(range.upperBound, range.lowerBound &+ Self.placesInTurn)
    do {
      guard let row = try store.record(record), !row.isStandalone, !records.isRemoved(record) else {
        return
      }
      for part in visible.parts(of: record, within: first) {
        try requestResources(inPart: part, of: row)
      }
      guard first.upperBound < min(range.upperBound, row.counts.total) else { return }
    } catch {
      return fail(LibraryError.wrapping(error))
    }
    continueLater { $0.requestResources(in: first.upperBound..<range.upperBound, of: record) }
  }

  private func requestResources(inPart part: PrecedenceRanges.Part, of record: Record)
    throws(StoreError)
  {
    let found = try store.resources(
      of: record.id, offset: part.range.lowerBound, limit: part.range.count)
    if part.precedence == .visible { renewPages(of: found) }
    // A paused record is looked at again when it is resumed.
    guard !record.isPaused else { return }
    if !announcer.isTracked(record.id) { track(record) }
    visible.register(found.map(\.id), from: part.range.lowerBound, of: record.id)
    let wanted = try items(found.filter { $0.state == .queued }, raised: part.precedence)
    if !wanted.isEmpty { send(.wanted(wanted)) }
  }

  /// Runs the rest of a long operation in another turn, so that other work can run in between. The engine
  /// is not idle until then.
  func continueLater(_ body: @escaping @Sendable (isolated Engine) -> Void) {
    verbs.beginPart()
    Task {
      verbs.endPart()
      body(self)
      notifyIfIdle()
    }
  }

  private func withdrawRequests(in range: Range<Int>, of record: RecordID) {
    let ids = visible.remove(range, of: record)
    if !ids.isEmpty { send(.unwanted(ids)) }
  }
}
