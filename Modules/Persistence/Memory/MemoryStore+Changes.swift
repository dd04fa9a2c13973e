public import Models
public import Persistence

extension MemoryStore {
  /// Memory is as durable as it gets: `durable` changes nothing.
  public func apply(_ changes: [ResourceChange], durable: Bool) throws(StoreError) {
    try checkOpen()
    for change in changes where resources[change.id] != nil { apply(change) }
  }

  public func requeueFailed(of record: RecordID?) throws(StoreError) -> Int {
    try checkOpen()
    let failed = resources.values.filter { resource in
      resource.state == .failed && (record.map { resource.record == $0 } ?? true)
    }
    for resource in failed {
      change(resource.id) {
        $0.state = .queued
        $0.reason = nil
        $0.attempts = 0
      }
    }
    return failed.count
  }

  private func apply(_ change: ResourceChange) {
    switch change {
    case .attempted(let id): self.change(id) { $0.attempts += 1 }
    case .partial(let id, let partial): partialDownloads[id] = partial
    case .partialGone(let id): partialDownloads[id] = nil
    case .stored(let id, let file):
      partialDownloads[id] = nil
      move(id, to: .stored, reason: nil, pages: []) { $0.file = file }
    case .fetched(let id): self.change(id) { $0.state = .fetched }
    case .finished(let id, let pages, let reason):
      move(id, to: .finished, reason: reason, pages: pages)
    case .failed(let id, let reason, let pages):
      move(id, to: .failed, reason: reason, pages: pages)
    case .requeued(let id):
      move(id, to: .queued, reason: nil, pages: []) {
        $0.file = nil
        $0.attempts = 0
      }
    }
  }

  private func move(
    _ id: ResourceID, to state: ResourceState, reason: String?, pages: [Page],
    _ more: (inout Resource) -> Void = { _ in }
  ) {
    // The last page of a number wins.
    let byNumber = Dictionary(pages.map { ($0.number, $0) }) { _, last in last }
    pagesOfResources[id] = byNumber.values.sorted { $0.number < $1.number }
    change(id) {
      $0.state = state
      $0.reason = reason
      $0.pageCount = byNumber.count
      more(&$0)
    }
  }
}
