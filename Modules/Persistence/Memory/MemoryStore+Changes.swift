import Models
public import Persistence

extension MemoryStore {
  public func apply(_ changes: [ResourceChange]) throws(StoreError) {
    try write { () throws(StoreError) in for change in changes { tables.apply(change) } }
  }
}

extension Tables {
  fileprivate mutating func apply(_ change: ResourceChange) {
    switch change {
    case .attempted(let id): self.change(id) { $0.attempts += 1 }
    case .partial(let request, let partial): partialDownloads[request] = partial
    case .partialDeleted(let request): partialDownloads[request] = nil
    case .stored(let id, let file):
      self.change(id, pages: []) {
        $0.state = .stored
        $0.reason = file.remark
        $0.file = file
        $0.file?.remark = nil
        $0.mustReload = false
      }
    case .fetched(let id): self.change(id) { $0.state = .fetched }
    case .finished(let id, let pages, let reason):
      self.change(id, pages: pages) {
        $0.state = .finished
        $0.reason = reason
        $0.isNamed = false
      }
    case .failed(let id, let reason, let pages):
      self.change(id, pages: pages) {
        $0.state = .failed
        $0.reason = reason
        $0.isNamed = false
      }
    case .requeued(let id, let reason):
      self.change(id, pages: []) {
        $0.state = .queued
        $0.reason = reason
        $0.file = nil
        $0.attempts = 0
        $0.mustReload = false
      }
    case .queuedAgain(let id, let mustReload):
      self.change(id) {
        $0.state = .queued
        $0.reason = nil
        $0.attempts = 0
        $0.mustReload = mustReload
      }
    case .kept(let id, let remark, let needsPages):
      self.change(id) {
        $0.state = needsPages ? .fetched : .finished
        $0.reason = remark
        $0.mustReload = false
        if !needsPages { $0.isNamed = false }
      }
    case .named(let id, let isNamed): self.change(id) { $0.isNamed = isNamed }
    case .answering(let id, let answer): self.change(id) { $0.file?.answer = answer }
    case .mirrored(let id, let mirrors, let byteCount):
      self.change(id) {
        $0.mirrors = Array(mirrors.prefix(Resource.mirrorLimit))
        $0.expectedByteCount = byteCount
      }
    case .relocated(let id, let url): self.change(id) { $0.url = url }
    case .expecting(let id, let checksum): self.change(id) { $0.expectedChecksum = checksum }
    case .removed(let id): remove(id)
    }
  }
}
