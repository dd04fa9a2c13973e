import Models

/// The verbs and parts of long changes under way, the order of verbs on the same record, and the pauses of
/// this run. Part of the engine's isolation.
struct RecordVerbs {
  private var ofRecords = KeyedFIFOLock<RecordID>()
  private var ofSources = KeyedFIFOLock<SourceID>()
  private var resets = FIFOLock()
  /// The number of long operations (such as removals, renewals of pages and lookups of many places) that
  /// still have turns of their own to run.
  private(set) var partCount = 0
  /// The records paused during this run, whose queued resources still count as unfinished work.
  private var heldRecords: Set<RecordID> = []
  private var isLibraryHeld = false

  /// Whether no verb on a record and no reset is under way, no source is being refreshed or continued, and
  /// no part of a long operation is left.
  var isAtRest: Bool {
    ofRecords.isFree && ofSources.isFree && resets.isFree && partCount == 0
  }

  // MARK: - One after the other

  /// Resumes the continuation when all earlier verbs on the record have ended.
  mutating func acquire(_ record: RecordID, _ continuation: CheckedContinuation<Void, Never>) {
    ofRecords.acquire(record, continuation)
  }

  mutating func release(_ record: RecordID) { ofRecords.release(record) }

  /// Returns whether a verb on the record is under way.
  func isUnderWay(on record: RecordID) -> Bool { ofRecords.isTaken(record) }

  /// Resumes the continuation when all earlier refreshes and continuations of the source have ended.
  mutating func acquire(_ source: SourceID, _ continuation: CheckedContinuation<Void, Never>) {
    ofSources.acquire(source, continuation)
  }

  mutating func release(_ source: SourceID) { ofSources.release(source) }

  /// Resumes the continuation when all earlier resets have ended.
  mutating func acquireReset(_ continuation: CheckedContinuation<Void, Never>) {
    resets.acquire(continuation)
  }

  mutating func releaseReset() { resets.release() }

  // MARK: - In parts

  /// Records that an operation continues in another turn, which calls `endPart`.
  mutating func beginPart() { partCount += 1 }

  mutating func endPart() { partCount -= 1 }

  // MARK: - Pauses

  mutating func holdBack(_ record: RecordID) { heldRecords.insert(record) }

  mutating func endHold(_ record: RecordID) { heldRecords.remove(record) }

  mutating func setLibraryHeld(_ isHeld: Bool) { isLibraryHeld = isHeld }

  mutating func endAllHolds() {
    heldRecords = []
    isLibraryHeld = false
  }

  /// Returns whether a pause of this run holds back work.
  /// - Parameter isAnyWaiting: Whether the scheduler has waiting jobs.
  func holdsBack(_ isAnyWaiting: Bool) -> Bool {
    !heldRecords.isEmpty || (isLibraryHeld && isAnyWaiting)
  }
}
