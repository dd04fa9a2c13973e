import LibraryAPI
import Models
import ProgressTree

/// Reports changes to the progress, to the readers of events and to the callers that wait until the engine
/// is idle. Part of the engine's isolation.
final class Announcer {
  private let progress: any ProgressTracking
  private var events = EventLog()
  /// The records whose counts were passed to `progress`.
  private(set) var tracked: Set<RecordID> = []
  private var idleWaiters: [CheckedContinuation<Void, any Error>] = []

  init(_ progress: any ProgressTracking) { self.progress = progress }

  // MARK: - Events

  /// The sequence number of the last event, or 0 before the first.
  var seq: UInt64 { events.seq }

  func emit(_ kind: LibraryEvent.Kind) { events.emit(kind) }

  func feed() -> EventFeed { events.feed() }

  func subscribe(onEnd: @escaping @Sendable (Int) -> Void) -> AsyncStream<LibraryEvent> {
    events.subscribe(onEnd: onEnd)
  }

  func unsubscribe(_ number: Int) { events.remove(number) }

  /// Ends the event streams.
  func endEvents() { events.endStreams() }

  // MARK: - Progress

  func isTracked(_ record: RecordID) -> Bool { tracked.contains(record) }

  /// Marks the record as tracked by the progress.
  /// - Returns: Whether it was not tracked before.
  func track(_ record: RecordID) -> Bool { tracked.insert(record).inserted }

  /// Marks the record as untracked, so that tracking it again reads its counts again.
  func untrack(_ record: RecordID) { tracked.remove(record) }

  /// Removes the record from the progress.
  func removeProgress(_ record: RecordID) {
    tracked.remove(record)
    progress.removeRecord(record)
  }

  /// Sets the progress of the record to the counts of its row.
  func count(_ record: Record) {
    progress.addRecord(
      record.id, title: record.title, total: record.counts.total,
      finished: record.counts.finished, failed: record.counts.failed)
  }

  /// Marks the resource as active in the progress.
  /// - Returns: The counter to which the transfer reports bytes.
  @discardableResult
  func beginActivity(_ resource: ResourceID, in record: RecordID, label: String) -> TransferCounter
  {
    progress.activate(resource, in: record, label: label)
  }

  func setStage(_ stage: ResourceStage, of resource: ResourceID) {
    progress.setStage(stage, of: resource)
  }

  /// Ends the activity of the resource.
  /// - Parameter keepsBytes: Whether the transfer is to continue later with the bytes received.
  func suspend(_ resource: ResourceID, keepsBytes: Bool = false) {
    progress.suspend(resource, keepsBytes: keepsBytes)
  }

  /// Ends the activity of a resource in a final state, and counts the resource in its record.
  func completeActivity(_ resource: ResourceID, failed: Bool) {
    progress.complete(resource, failed: failed)
  }

  // MARK: - Idleness

  var isAwaited: Bool { !idleWaiters.isEmpty }

  /// Resumes the continuation when the engine is idle or has ended.
  func addIdleWaiter(_ continuation: CheckedContinuation<Void, any Error>) {
    idleWaiters.append(continuation)
  }

  func wakeWaiters() {
    let waiters = idleWaiters
    idleWaiters = []
    for waiter in waiters { waiter.resume() }
  }
}
