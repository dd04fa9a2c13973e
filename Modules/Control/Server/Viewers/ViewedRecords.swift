import LibraryAPI
import Models
import Synchronization

/// The records that each viewer shows, as the viewers reported them to this server.
final class ViewedRecords: Sendable {
  private let records = Mutex<[ViewerID: Set<RecordID>]>([:])

  func records(of viewer: ViewerID) -> Set<RecordID> { records.withLock { $0[viewer] ?? [] } }

  func insert(_ viewer: ViewerID, at record: RecordID) {
    records.withLock { _ = $0[viewer, default: []].insert(record) }
  }

  /// - Parameter record: The record that the viewer no longer shows; nil means all records.
  func remove(_ viewer: ViewerID, from record: RecordID?) {
    records.withLock { records in
      if let record { records[viewer]?.remove(record) } else { records[viewer] = nil }
      if records[viewer]?.isEmpty == true { records[viewer] = nil }
    }
  }
}
