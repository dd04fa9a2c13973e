import LibraryAPI
import Models
import Synchronization

/// Which records each viewer looks at, as far as this server was told.
final class ViewedRecords: Sendable {
  private let records = Mutex<[ViewerID: Set<RecordID>]>([:])

  func records(of viewer: ViewerID) -> Set<RecordID> { records.withLock { $0[viewer] ?? [] } }

  func look(_ viewer: ViewerID, at record: RecordID) {
    records.withLock { _ = $0[viewer, default: []].insert(record) }
  }

  /// - Parameter record: nil means from everything.
  func lookAway(_ viewer: ViewerID, from record: RecordID?) {
    records.withLock { records in
      if let record { records[viewer]?.remove(record) } else { records[viewer] = nil }
      if records[viewer]?.isEmpty == true { records[viewer] = nil }
    }
  }
}
