import LibraryAPI
import Models
import ProgressTree

/// The library and records that the user has paused, as reported by the store and by events.
struct PauseState: Sendable, Equatable {
  var isLibraryPaused = false
  var records: Set<RecordID> = []
  /// The records whose resources are downloaded on demand.
  var lazy: Set<RecordID> = []

  mutating func update(with event: LibraryEvent.Kind) {
    switch event {
    case .paused(let record?): records.insert(record)
    case .paused(nil): isLibraryPaused = true
    case .resumed(let record?): records.remove(record)
    case .resumed(nil): (isLibraryPaused, records) = (false, [])
    case .wasReset: self = PauseState()
    default: break
    }
  }

  static let sentence = "Paused; continue with imgdl-cli resume"

  func covers(_ record: RecordID) -> Bool { isLibraryPaused || records.contains(record) }
}

extension RecordProgress {
  /// The status text of a record, which is the same in every program (DL2).
  func statusText(_ pauses: PauseState, _ cancelled: CancelledCounts) -> String {
    statusText(
      isPaused: pauses.covers(id), isOnDemand: pauses.lazy.contains(id),
      cancelled: cancelled[self])
  }
}
