import LibraryAPI
import Models
import Persistence
import SystemCalls

/// Downloads visible resources before all others; of a lazy record, only the visible ones (LZ2).
final class ViewportStage: Stage {
  private var visible: VisibleResources
  /// Fires when a visible range has been unchanged for `lazy.rest` seconds.
  private var resting = Alarm()

  override init(_ stages: Stages) {
    let lazy = stages.context.settings.lazy
    visible = VisibleResources(rest: lazy.rest, prefetch: lazy.prefetch)
    super.init(stages)
  }

  func setVisibleRange(_ range: Range<Int>, of record: RecordID, for viewer: ViewerID) {
    // Limits the range, because no window shows more resources than this.
    let end = range.lowerBound.addingReportingOverflow(min(range.count, Self.widestView))
    handle(
      .rangeShown(viewer, record, range.lowerBound..<(end.overflow ? .max : end.partialValue)))
  }

  private static let widestView = 10_000

  func clearVisibleRange(of record: RecordID?, for viewer: ViewerID) {
    handle(.rangeCleared(viewer, record))
  }

  /// Requests the visible resources of a record again, because the record was dropped before, positions
  /// have changed or finished resources were queued again.
  private func refresh(_ record: RecordID) {
    for part in visible.parts(of: record) { requestResources(in: part.range, of: record) }
  }

  func refreshAll() {
    for record in visible.records { refresh(record) }
  }

  /// Forgets the resources of a record whose positions have changed; viewers then report their ranges
  /// again.
  func forgetResources(of record: RecordID) { visible.removeAll(record) }

  /// Forgets a record that was removed.
  func forget(_ record: RecordID) {
    visible.removeAll(record)
    handle(.removed(record))
  }

  func cancelAlarm() { resting.cancel() }

  private func handle(_ event: ViewportTracker.Event) {
    let action = visible.handle(event, now: ports.clock.now())
    for (record, range) in action.lower { withdrawRequests(in: range, of: record) }
    for raised in action.raise { requestResources(in: raised.range, of: raised.record) }
    guard let wake = action.wake else { return }
    resting.set(wake, ports.clock) { [weak engine = stages.engine] in
      await engine?.run { $0.viewports.restTimePassed() }
    }
  }

  private func restTimePassed() {
    resting.clear()
    handle(.tick)
  }

  /// The number of visible resources handled in one turn; further ones are handled in further turns.
  private static let positionsPerTurn = 256

  /// Requests the queued resources in the viewed part of a range.
  private func requestResources(in range: Range<Int>, of record: RecordID) {
    guard lifecycle.isStarted, !lifecycle.isStopping else { return }
    let first = range.lowerBound..<min(range.upperBound, range.lowerBound &+ Self.positionsPerTurn)
    do {
      guard let row = try store.record(record), !row.isStandalone, !records.isRemoved(record) else {
        return
      }
      for part in visible.parts(of: record, within: first) {
        try requestResources(inPart: part, of: row)
      }
      guard first.upperBound < min(range.upperBound, row.counts.total) else { return }
    } catch {
      return lifecycle.fail(LibraryError.wrapping(error))
    }
    lifecycle.spawnPart {
      $0.viewports.requestResources(in: first.upperBound..<range.upperBound, of: record)
    }
  }

  private func requestResources(inPart part: PrecedenceRanges.Part, of record: Record)
    throws(StoreError)
  {
    let found = try store.resources(
      of: record.id, offset: part.range.lowerBound, limit: part.range.count)
    if part.precedence == .visible { stages.renewals.renewPages(of: found) }
    // The visible range of a paused record is evaluated again when the record is resumed.
    guard !record.isPaused else { return }
    if !announcer.isTracked(record.id) { catalog.track(record) }
    visible.register(found.map(\.id), from: part.range.lowerBound, of: record.id)
    let wanted = try stages.lookup.schedulerItems(
      found.filter { $0.state == .queued }, raised: part.precedence)
    if !wanted.isEmpty { transfers.send(.wanted(wanted)) }
  }

  private func withdrawRequests(in range: Range<Int>, of record: RecordID) {
    let ids = visible.remove(range, of: record)
    guard !ids.isEmpty else { return }
    transfers.send(.unwanted(ids))
    do throws(StoreError) {
      try stages.requested.passAgain(ids, of: record)
    } catch {
      lifecycle.fail(LibraryError.wrapping(error))
    }
  }
}
