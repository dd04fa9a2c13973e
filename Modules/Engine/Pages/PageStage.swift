import Models

/// Which originals are turned into pages when. The queue is the store's: what does not fit here is
/// found there again.
struct PageStage {
  struct Work: Sendable {
    let resource: Resource
    let file: StoredFile
  }

  let width: Int
  private var queue: [Work] = []
  private var next = 0
  /// Running, or done and not yet reported by the committer.
  private var taken: [ResourceID: Work] = [:]
  private var mustLook = false
  private var isLooking = false
  var tasks: [ResourceID: Task<Void, Never>] = [:]

  static let queueLimit = 4_096

  init(width: Int) { self.width = max(1, width) }

  private var queued: Int { queue.count - next }
  var isIdle: Bool { queued == 0 && taken.isEmpty && !mustLook && !isLooking }

  mutating func add(_ resource: Resource, file: StoredFile) {
    guard queued < Self.queueLimit else {
      mustLook = true
      return
    }
    queue.append(Work(resource: resource, file: file))
  }

  /// What may start now.
  mutating func take() -> Work? {
    guard tasks.count < width, queued > 0 else { return nil }
    let work = queue[next]
    next += 1
    if next == queue.count {
      queue.removeAll(keepingCapacity: true)
      next = 0
    } else if next > 1_024 {
      queue.removeFirst(next)
      next = 0
    }
    taken[work.resource.id] = work
    return work
  }

  /// The pages are there; their row is on its way.
  mutating func ended(_ id: ResourceID) { tasks[id] = nil }

  /// The row is written.
  mutating func committed(_ id: ResourceID) -> Work? { taken.removeValue(forKey: id) }

  /// Interrupted: it stays `fetched` in the store.
  mutating func abandoned(_ id: ResourceID) {
    tasks[id] = nil
    taken[id] = nil
  }

  mutating func lookIntoStore() { mustLook = true }

  /// Whether the store is to be asked for `fetched` resources now.
  mutating func shouldLook() -> Bool {
    guard mustLook, !isLooking, queued == 0 else { return false }
    mustLook = false
    isLooking = true
    return true
  }

  /// The store's answer; `isAll` if there is nothing beyond it.
  mutating func looked(_ found: [Work], isAll: Bool) {
    isLooking = false
    let known = Set(queue[next...].map(\.resource.id))
    let new = found.filter { taken[$0.resource.id] == nil && !known.contains($0.resource.id) }
    queue += new
    // Only what is already running was found: it will be looked at again when that is done.
    if !isAll { mustLook = true }
  }

  mutating func drop(_ record: RecordID) {
    queue.removeSubrange(0..<next)
    next = 0
    queue.removeAll { $0.resource.record == record }
  }
}
