import LibraryAPI
import Models
import Persistence

/// What the engine has at hand of records, and which of them are gone. Part of the engine's
/// isolation.
struct KnownRecords {
  private var rows = KeyTable<RecordID, Record>()
  /// What those records have of their sources.
  private var sources = KeyTable<SourceID, Provenance>()
  /// The newest resource when the command began that added a record, until all of the record is settled.
  /// Not kept over a restart: then the server is asked whether those files have changed.
  private(set) var began: [RecordID: ResourceID] = [:]
  /// Records that are gone or going. Ids are never given again.
  private var removed: Set<RecordID> = []
  /// The id that the store gave last.
  private(set) var lastResource = ResourceID(0)

  /// What resources have of the source of their record.
  struct Provenance {
    /// What it names may not lead to a private address.
    let isPublic: Bool
    /// Its slices never change.
    let isSeries: Bool

    init(_ state: SourceState) {
      isPublic = state.isPublic
      isSeries = state.isSeries
    }
  }

  // MARK: - Rows

  subscript(id: RecordID) -> Record? { rows[id] }

  /// - Parameter record: as its row is now.
  mutating func note(_ record: Record) { rows[record.id] = record }

  mutating func setPaused(_ isPaused: Bool, _ id: RecordID) { rows[id]?.isPaused = isPaused }

  mutating func setPriority(_ priority: RecordPriority, _ id: RecordID) {
    rows[id]?.priority = priority
  }

  /// Remembers that the store has given that id.
  mutating func noteGiven(_ id: ResourceID) { lastResource = max(lastResource, id) }

  // MARK: - Sources

  subscript(source id: SourceID) -> Provenance? { sources[id] }

  /// - Parameter state: as the row of the source says now.
  mutating func note(_ state: SourceState, of source: SourceID) {
    sources[source] = Provenance(state)
  }

  /// Remembers that the command that added the record began when that resource was the newest.
  mutating func note(began resource: ResourceID?, _ record: RecordID) { began[record] = resource }

  /// Forgets when the command began that added the record: nothing of it is left to be done.
  mutating func removeBegin(of record: RecordID) { began[record] = nil }

  // MARK: - Removal

  func isRemoved(_ id: RecordID) -> Bool { removed.contains(id) }

  /// Makes the record one that is gone.
  /// - Returns: whether there was until now.
  @discardableResult
  mutating func markRemoved(_ id: RecordID) -> Bool { removed.insert(id).inserted }

  mutating func forget(_ id: RecordID) {
    rows[id] = nil
    began[id] = nil
  }

  /// Forgets everything but which records are gone, and the newest resource.
  mutating func forgetAll() {
    rows = KeyTable()
    sources = KeyTable()
    began = [:]
  }
}
