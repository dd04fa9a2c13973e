import Models
import Persistence

/// The requests that may have a partial download, in the store and on disk. Part of the engine's isolation.
///
/// A request is registered before its row is written and forgotten before the row is deleted. A request
/// that is not registered therefore has no row, and the store need not be queried.
final class PartialFiles {
  /// The requests that may have a row; a superset of the keys of `current`.
  private var requests = KeySet<RequestKey>()
  /// The partial downloads of this run, with their state after all pending commits.
  private var current = KeyTable<RequestKey, PartialDownload>()
  /// The requests whose complete files recovery could not move into place, because the disk is full.
  private(set) var postponed: Set<RequestKey> = []
  /// The requests of paused records that have partial files, which must be kept.
  private var keptRequests: [RecordID: Set<RequestKey>] = [:]

  var isEmpty: Bool { requests.isEmpty }

  /// Returns whether the store may have a row for the request.
  func mayHaveRow(_ request: RequestKey) -> Bool { requests.contains(request) }

  /// Returns the partial download if this run knows it; nil if only the store may know it.
  subscript(request: RequestKey) -> PartialDownload? { current[request] }

  func register(_ partial: PartialDownload, of request: RequestKey) {
    requests.insert(request)
    current[request] = partial
  }

  /// Registers the partial files that an earlier run has left.
  func registerFound(_ found: Set<RequestKey>) { requests.formUnion(found) }

  /// Keeps the complete file of a request for the recovery of the next engine.
  func postpone(_ request: RequestKey) { postponed.insert(request) }

  /// Forgets a partial file that was moved into place or is useless.
  /// - Returns: Whether the store may have a row for the request.
  @discardableResult
  func unregister(_ request: RequestKey) -> Bool {
    guard requests.remove(request) else { return false }
    current[request] = nil
    return true
  }

  /// Forgets the state of a partial file whose row is about to be deleted. The file may be written again,
  /// with a new row.
  func forgetContent(of request: RequestKey) { current[request] = nil }

  /// Protects the partial files of the requests from deletion while the record is paused.
  func retain(_ requests: some Sequence<RequestKey>, for record: RecordID) {
    keptRequests[record, default: []].formUnion(requests)
  }

  /// Ends the protection of a record's partial files, because the record is resumed or no longer needs
  /// them.
  func endRetention(_ record: RecordID) { keptRequests[record] = nil }

  /// Returns whether the partial file of the request is kept for a paused record.
  func isKept(_ request: RequestKey) -> Bool {
    keptRequests.values.contains { $0.contains(request) }
  }

  func removeAll() {
    requests = KeySet()
    postponed = []
    current = KeyTable()
    keptRequests = [:]
  }
}
