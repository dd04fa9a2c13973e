public import Models
public import Persistence

extension MemoryStore {
  /// Memory is as durable as it gets: `durable` changes nothing.
  public func apply(_ changes: [ResourceChange], durable: Bool) throws(StoreError) {
    try checkOpen()
    for change in changes { apply(change) }
  }

  private func apply(_ change: ResourceChange) {
    switch change {
    case .attempted(let id): self.change(id) { $0.attempts += 1 }
    case .partial(let request, let partial): partialDownloads[request] = partial
    case .partialGone(let request): partialDownloads[request] = nil
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
    case .confirmed(let id, let answer): self.change(id) { $0.file?.answer = answer }
    case .removed(let id): remove(id)
    }
  }

  private func move(
    _ id: ResourceID, to state: ResourceState, reason: String?, pages: [Page],
    _ more: (inout Resource) -> Void = { _ in }
  ) {
    guard resources[id] != nil else { return }
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

  private func remove(_ id: ResourceID) {
    guard let resource = resources[id] else { return }
    leave(resource)
    entries[resource.record]?.resources.removeAll { $0 == id }
    pagesOfResources[id] = nil
  }

  public func requeueFailed(of record: RecordID?) throws(StoreError) -> Int {
    try changeAll(.failed, of: record) {
      $0.state = .queued
      $0.reason = nil
      $0.attempts = 0
    }
  }

  public func processAgain(
    of record: RecordID?, failedWith reason: String
  ) throws(StoreError) -> Int {
    try changeAll(
      .failed, of: record, where: { $0.reason == reason && $0.file != nil && !$0.mustReload }
    ) {
      $0.state = .fetched
      $0.reason = nil
      $0.attempts = 0
    }
  }

  public func requeueAll(of record: RecordID) throws(StoreError) -> Int {
    try changeAll(nil, of: record) {
      $0.state = .queued
      $0.reason = nil
      $0.attempts = 0
      $0.mustReload = true
    }
  }

  public func giveUpQueued(of record: RecordID, reason: String) throws(StoreError) -> Int {
    try changeAll(.queued, of: record) {
      if $0.file == nil {
        $0.state = .failed
        $0.reason = reason
      } else {
        $0.state = .fetched
        $0.reason = nil
        $0.mustReload = false
      }
    }
  }

  /// - Parameters:
  ///   - state: only what is in that state; nil: all.
  ///   - record: nil: all.
  /// - Returns: how many.
  private func changeAll(
    _ state: ResourceState?, of record: RecordID?,
    where isMeant: (Resource) -> Bool = { _ in true },
    _ body: (inout Resource) -> Void
  ) throws(StoreError) -> Int {
    try checkOpen()
    let chosen = resources.values.filter {
      (record ?? $0.record) == $0.record && (state ?? $0.state) == $0.state && isMeant($0)
    }
    for resource in chosen { change(resource.id, body) }
    return chosen.count
  }
}
