import LibraryAPI
import Models

/// The changes of the library that concern the downloads of the aria2 interface, collected from its events.
struct Aria2LibraryChanges: Sendable {
  /// The resources that have ended.
  private(set) var ended: [ResourceID] = []
  /// The records that users have cancelled.
  private(set) var cancelled: [RecordID] = []
  /// Whether users have queued resources again that had ended.
  private(set) var hasRequeued = false
  /// Whether the states of any resources may have changed.
  private(set) var concernsAll = false
  /// The new limit of concurrent transfers; nil if it is the same.
  private(set) var concurrency: Int?

  init(_ events: [LibraryEvent]) {
    for event in events {
      switch event.kind {
      case .finished(let id, _), .failed(let id, _, _, _): ended.append(id)
      case .recordRemoved, .wasReset: concernsAll = true
      case .cancelled(let record, _):
        cancelled.append(record)
        concernsAll = true
      case .retried, .reloading: hasRequeued = true
      case .concurrencyChanged(let limit): concurrency = limit
      default: break
      }
    }
  }
}
