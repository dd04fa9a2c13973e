import LibraryAPI
import Models
import ProgressTree

/// The numbers of resources that the user has cancelled, and that the progress of an engine counts as failed. The store
/// is asked for them when a record has ended, because it does not change afterwards without an event.
struct CancelledCounts: Sendable {
  private struct Count {
    let cancelled: Int
    /// The number of failed resources when the store was asked.
    let failed: Int
  }

  private var counts: [RecordID: Count] = [:]

  /// The number of the record, at most that of its failed resources.
  subscript(record: RecordProgress) -> Int {
    min(counts[record.id]?.cancelled ?? 0, record.failed)
  }

  /// The numbers of all records together, such as `, 2 failed, 1 cancelled`; empty if there are none.
  func text(_ progress: LibraryProgress) -> String {
    let cancelled = progress.records.reduce(0) { $0 + self[$1] }
    let failed = progress.failed - cancelled
    return (failed > 0 ? ", \(failed) failed" : "")
      + (cancelled > 0 ? ", \(cancelled) cancelled" : "")
  }

  mutating func update(with event: LibraryEvent.Kind) {
    switch event {
    case .cancelled(let record, _), .reloading(let record, _), .retried(let record?, _):
      counts[record] = nil
    case .retried(nil, _), .wasReset: counts = [:]
    default: break
    }
  }

  /// Returns the records that have ended, and about which the store is to be asked.
  func unknown(_ progress: LibraryProgress) -> [RecordProgress] {
    progress.records.filter { record in
      record.failed > 0 && record.settled == record.total
        && counts[record.id]?.failed != record.failed
    }
  }

  /// Records the answer of the store about a record that has ended.
  mutating func set(_ cancelled: Int, of record: RecordProgress) {
    counts[record.id] = Count(cancelled: cancelled, failed: record.failed)
  }
}
