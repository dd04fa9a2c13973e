import Models

/// Which verbs and parts of long changes are under way, which verbs wait for others, and what the pauses of
/// this run hold back. Part of the engine's isolation.
struct RecordVerbs {
  private var ofRecords = KeyedTurns<RecordID>()
  private var ofSources = KeyedTurns<SourceID>()
  private var resets = Turns()
  /// How many parts of something long (a removal, pages that are made again, a look at many places) have turns
  /// of their own still to come.
  private(set) var partCount = 0
  /// Records that were paused while this engine runs: what their pauses hold back is still to be done.
  private var heldRecords: Set<RecordID> = []
  private var isLibraryHeld = false

  /// No verb on a record and no reset is under way, no source is read again or on, and no part of anything is
  /// to come.
  var isAtRest: Bool {
    ofRecords.isFree && ofSources.isFree && resets.isFree && partCount == 0
  }

  // MARK: - One after the other

  /// Resumes when the verbs that came before on the same record have ended.
  mutating func take(_ record: RecordID, _ continuation: CheckedContinuation<Void, Never>) {
    ofRecords.take(record, continuation)
  }

  mutating func pass(_ record: RecordID) { ofRecords.pass(record) }

  /// Whether a verb on the record is under way.
  func isUnderWay(on record: RecordID) -> Bool { ofRecords.isTaken(record) }

  /// Resumes when nothing else reads the source again or on.
  mutating func take(_ source: SourceID, _ continuation: CheckedContinuation<Void, Never>) {
    ofSources.take(source, continuation)
  }

  mutating func pass(_ source: SourceID) { ofSources.pass(source) }

  /// Resumes when the resets that came before have ended.
  mutating func takeReset(_ continuation: CheckedContinuation<Void, Never>) {
    resets.take(continuation)
  }

  mutating func passReset() { resets.pass() }

  // MARK: - In parts

  /// Something continues in another turn; `endPart` when it has.
  mutating func beginPart() { partCount += 1 }

  mutating func endPart() { partCount -= 1 }

  // MARK: - Pauses

  mutating func hold(_ record: RecordID) { heldRecords.insert(record) }

  mutating func letGo(_ record: RecordID) { heldRecords.remove(record) }

  mutating func holdLibrary(_ isHeld: Bool) { isLibraryHeld = isHeld }

  mutating func letGoAll() {
    heldRecords = []
    isLibraryHeld = false
  }

  /// Whether a pause of this run holds back work.
  /// - Parameter isAnyWaiting: whether something waits in the scheduler.
  func holdsBack(_ isAnyWaiting: Bool) -> Bool {
    !heldRecords.isEmpty || (isLibraryHeld && isAnyWaiting)
  }
}
