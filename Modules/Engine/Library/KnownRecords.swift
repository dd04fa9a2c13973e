import LibraryAPI
import Models
import Persistence

/// The rows of records that the engine holds in memory, and the ids of removed records. Part of the
/// engine's isolation.
final class KnownRecords {
  private var rows = KeyTable<RecordID, Record>()
  /// The provenance of the sources of the records in `rows`.
  private var sources = KeyTable<SourceID, Provenance>()
  /// For each record, the newest resource at the time when the command that added the record began. Kept
  /// until all resources of the record are finished or failed. After a restart the time is unknown, and the
  /// server is asked whether existing files have changed.
  private(set) var newestResourceAtAdd: [RecordID: ResourceID] = [:]
  /// The records that are removed or being removed. Record ids are never reused.
  private var removed: Set<RecordID> = []
  /// The largest resource id that the store has assigned.
  private(set) var lastResource = ResourceID(0)

  /// The properties that resources inherit from the source of their record.
  struct Provenance {
    /// Whether the URLs that the source names must not reach private addresses.
    let isPublic: Bool
    /// Whether the source is a series, whose slices never change.
    let isSeries: Bool
    /// Whether its documents have set cookies.
    let setsCookies: Bool

    /// The origins that receive the user's credentials.
    let scope: CredentialScope
    /// The options of the source's requests without credentials; nil if there are none.
    let stored: StoredOptions?

    init(_ state: SourceState, _ source: SourceRow) {
      isPublic = state.isPublic
      isSeries = state.isSeries
      setsCookies = state.setsCookies
      scope = CredentialScope(ofSource: source.key)
      stored = StoredOptions(text: source.draft.options)
    }
  }

  // MARK: - Rows

  subscript(id: RecordID) -> Record? { rows[id] }

  /// Stores `record`, which has the current content of its row, in place of an earlier copy.
  func register(_ record: Record) { rows[record.id] = record }

  func setPaused(_ isPaused: Bool, _ id: RecordID) { rows[id]?.isPaused = isPaused }

  func setPriority(_ priority: RecordPriority, _ id: RecordID) {
    rows[id]?.priority = priority
  }

  /// Registers an id that the store has assigned to a resource.
  func registerLastResource(_ id: ResourceID) { lastResource = max(lastResource, id) }

  // MARK: - Sources

  subscript(source id: SourceID) -> Provenance? { sources[id] }

  /// Stores the properties of a source from `state`, which has the current content of the source's row.
  func register(_ state: SourceState, of source: SourceRow) {
    sources[source.id] = Provenance(state, source)
  }

  /// Registers `resource` as the newest one at the time when the command that added the record began.
  func registerAddStart(_ resource: ResourceID?, of record: RecordID) {
    newestResourceAtAdd[record] = resource
  }

  /// Forgets when the command that added the record began, after the whole record is finished or failed.
  func removeAddStart(of record: RecordID) { newestResourceAtAdd[record] = nil }

  // MARK: - Removal

  func isRemoved(_ id: RecordID) -> Bool { removed.contains(id) }

  /// Marks the record as removed.
  /// - Returns: Whether it was not marked before.
  @discardableResult
  func markRemoved(_ id: RecordID) -> Bool { removed.insert(id).inserted }

  func remove(_ id: RecordID) {
    rows[id] = nil
    newestResourceAtAdd[id] = nil
  }

  /// Forgets everything except the removed records and the newest resource id.
  func forgetAll() {
    rows = KeyTable()
    sources = KeyTable()
    newestResourceAtAdd = [:]
  }
}
