import Models
public import Persistence

extension MemoryStore {
  public func apply(_ changes: [ResourceChange]) throws(StoreError) {
    try write { () throws(StoreError) in for change in changes { apply(change) } }
  }

  private func apply(_ change: ResourceChange) {
    switch change {
    case .attempted(let id): self.change(id) { $0.attempts += 1 }
    case .partial(let request, let partial): tables.partialDownloads[request] = partial
    case .partialGone(let request): tables.partialDownloads[request] = nil
    case .stored(let id, let file):
      move(id, to: .stored, reason: nil, pages: []) {
        $0.file = file
        $0.mustReload = false
      }
    case .fetched(let id): self.change(id) { $0.state = .fetched }
    case .finished(let id, let pages, let reason):
      move(id, to: .finished, reason: reason, pages: pages)
    case .failed(let id, let reason, let pages):
      move(id, to: .failed, reason: reason, pages: pages)
    case .requeued(let id, let reason):
      move(id, to: .queued, reason: reason, pages: []) {
        $0.file = nil
        $0.attempts = 0
        $0.mustReload = false
      }
    case .answering(let id, let answer): self.change(id) { $0.file?.answer = answer }
    case .removed(let id): remove(id)
    }
  }

  private func move(
    _ id: ResourceID, to state: ResourceState, reason: String?, pages: [Page],
    _ more: (inout Resource) -> Void = { _ in }
  ) {
    guard tables.resources[id] != nil else { return }
    // If several pages have the same number, the last one wins.
    let byNumber = Dictionary(pages.map { ($0.number, $0) }) { _, last in last }
    tables.pagesOfResources[id] = byNumber.values.sorted { $0.number < $1.number }
    change(id) {
      $0.state = state
      $0.reason = reason
      $0.pageCount = byNumber.count
      more(&$0)
    }
  }

  private func remove(_ id: ResourceID) {
    guard let resource = tables.resources[id] else { return }
    leave(resource)
    tables.entries[resource.record]?.resources.removeAll { $0 == id }
    tables.pagesOfResources[id] = nil
  }
}
