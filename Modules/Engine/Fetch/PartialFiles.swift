import Models
import Persistence

/// Which requests may have a partial download, in the store and on disk. Part of the engine's
/// isolation.
///
/// A request is registered before its row is written and forgotten before the row goes, so that a
/// request that is not here certainly has no row and nobody needs to ask the store.
struct PartialFiles {
  /// Requests of which the store may have a row; all of `current` are among them.
  private var requests = KeySet<RequestKey>()
  /// The partial downloads of this run, as they are or soon will be in the store.
  private var current = KeyTable<RequestKey, PartialDownload>()
  /// What paused records had begun: their partial files are theirs, too.
  private var kept: [RecordID: Set<RequestKey>] = [:]

  var isEmpty: Bool { requests.isEmpty }

  /// Whether the store may have a row of the request.
  func mayHaveRow(_ request: RequestKey) -> Bool { requests.contains(request) }

  /// The partial download as this run knows it; nil where only the store may know it.
  subscript(request: RequestKey) -> PartialDownload? { current[request] }

  mutating func register(_ partial: PartialDownload, of request: RequestKey) {
    requests.insert(request)
    current[request] = partial
  }

  /// Registers what an earlier run has left behind.
  mutating func adopt(_ found: Set<RequestKey>) { requests.formUnion(found) }

  /// The partial file is used up or of no use.
  /// - Returns: whether there may have been a row.
  @discardableResult
  mutating func forget(_ request: RequestKey) -> Bool {
    guard requests.remove(request) else { return false }
    current[request] = nil
    return true
  }

  /// The row is about to go; the file may be written again under another one.
  mutating func forgetContent(of request: RequestKey) { current[request] = nil }

  /// The record is paused, and continues with those requests.
  mutating func keep(_ requests: some Sequence<RequestKey>, for record: RecordID) {
    kept[record, default: []].formUnion(requests)
  }

  /// The record is paused no more, or wants nothing of what it had begun.
  mutating func release(_ record: RecordID) { kept[record] = nil }

  /// Whether a paused record had begun with the request.
  func isKept(_ request: RequestKey) -> Bool { kept.values.contains { $0.contains(request) } }

  mutating func removeAll() { self = PartialFiles() }
}
