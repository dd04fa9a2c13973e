import Models

/// Records which pauses of this run hold back work: pauses of single records, and of the whole library.
/// Such work still counts as unfinished. Part of the engine's isolation; pure.
struct PauseHolds {
  private var records: Set<RecordID> = []
  private var isLibraryHeld = false

  mutating func holdBack(_ record: RecordID) { records.insert(record) }

  mutating func endHold(_ record: RecordID) { records.remove(record) }

  mutating func setLibraryHeld(_ isHeld: Bool) { isLibraryHeld = isHeld }

  mutating func endAllHolds() {
    records = []
    isLibraryHeld = false
  }

  /// Returns whether a pause of this run holds back work.
  /// - Parameter isAnyWaiting: Whether the scheduler has waiting jobs.
  func holdsBack(_ isAnyWaiting: Bool) -> Bool {
    !records.isEmpty || (isLibraryHeld && isAnyWaiting)
  }
}
