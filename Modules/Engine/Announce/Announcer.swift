import LibraryAPI
import Models
import ProgressTree

/// Tells the progress, the readers of events, and those who wait until the engine is idle what has
/// happened. Part of the engine's isolation.
struct Announcer {
  private let progress: any ProgressTracking
  private var events = EventLog()
  /// Records whose counts the progress keeps.
  private(set) var tracked: Set<RecordID> = []
  private var idleWaiters: [CheckedContinuation<Void, Never>] = []

  init(_ progress: any ProgressTracking) { self.progress = progress }

  // MARK: - Events

  /// The number of the last event.
  var seq: UInt64 { events.seq }

  mutating func emit(_ kind: LibraryEvent.Kind) { events.emit(kind) }

  mutating func feed() -> EventFeed { events.feed() }

  mutating func subscribe(onEnd: @escaping @Sendable (Int) -> Void) -> AsyncStream<LibraryEvent> {
    events.subscribe(onEnd: onEnd)
  }

  mutating func unsubscribe(_ number: Int) { events.remove(number) }

  /// Ends the streams of events.
  mutating func finish() { events.finish() }

  // MARK: - Progress

  func isTracked(_ record: RecordID) -> Bool { tracked.contains(record) }

  /// From now on the progress keeps the counts of the record.
  /// - Returns: whether it did not before.
  mutating func track(_ record: RecordID) -> Bool { tracked.insert(record).inserted }

  /// Lets the counts of the record be read again when it is tracked again.
  mutating func untrack(_ record: RecordID) { tracked.remove(record) }

  /// Takes the record out of the progress.
  mutating func forget(_ record: RecordID) {
    tracked.remove(record)
    progress.removeRecord(record)
  }

  /// Tells the progress what the record's row says.
  func count(_ record: Record) {
    progress.addRecord(
      record.id, title: record.title, total: record.counts.total,
      finished: record.counts.finished, failed: record.counts.failed)
  }

  /// Makes the resource active.
  /// - Returns: where its transfer reports bytes.
  @discardableResult
  func begin(_ resource: ResourceID, in record: RecordID, label: String) -> TransferCounter {
    progress.begin(resource, in: record, label: label)
  }

  func stage(_ resource: ResourceID, _ stage: ResourceStage) { progress.stage(resource, stage) }

  /// Ends the activity of the resource.
  /// - Parameter keepsBytes: its transfer continues later with the bytes that it has.
  func suspend(_ resource: ResourceID, keepsBytes: Bool = false) {
    progress.suspend(resource, keepsBytes: keepsBytes)
  }

  /// Ends the activity of the resource permanently: its record counts it.
  func settle(_ resource: ResourceID, failed: Bool) { progress.settle(resource, failed: failed) }

  // MARK: - Idleness

  var isAwaited: Bool { !idleWaiters.isEmpty }

  /// Resumes when the engine is idle or has ended.
  mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
    idleWaiters.append(continuation)
  }

  mutating func wakeWaiters() {
    let waiters = idleWaiters
    idleWaiters = []
    for waiter in waiters { waiter.resume() }
  }
}
