import Models
import Persistence
import SystemCalls

/// Decides when each original is turned into pages. The whole queue is in the store; originals beyond
/// `queueLimit` are read from the store later. Pure, except that it holds the engine's tasks.
struct PageQueue {
  struct Work: Sendable {
    let resource: Resource
    let file: StoredFile
  }

  let width: Int
  private var queue: [Work] = []
  private var next = 0
  /// The resources in the queue.
  private(set) var waiting: Set<ResourceID> = []
  /// The resources being processed, or processed and not yet committed.
  private var inProgress: Set<ResourceID> = []
  private var needsQuery = false
  private(set) var tasks: [ResourceID: (record: RecordID, task: Task<Void, Never>)] = [:]
  private var journal: PageWorkJournal
  /// Waiting resources that may have ended an earlier engine (`PageWorkJournal`); each is processed alone, when
  /// nothing else is waiting.
  private var suspects: [Work] = []
  private var isRunningSuspect = false

  static let queueLimit = 4_096

  init(width: Int, journal: PageWorkJournal = PageWorkJournal()) {
    self.width = max(1, width)
    self.journal = journal
  }

  /// Returns the number of originals processed at once: one more than the renderer has workers, so that no
  /// worker is idle while files are read and written.
  static func width(_ settings: Settings) -> Int {
    let workers = settings.rendering.workers
    return (workers > 0 ? workers : min(4, Machine.processorCount)) + 1
  }

  var queued: Int { queue.count - next + suspects.count }
  var isIdle: Bool { queued == 0 && inProgress.isEmpty && !needsQuery }

  /// Adds an original to the queue, unless the queue is full; then the store is queried later.
  /// - Returns: Whether the resource will be processed soon: at most `2 * width` resources are waiting.
  mutating func add(_ resource: Resource, file: StoredFile) -> Bool {
    // A query to the store may have returned the resource before its arrival was reported here.
    guard !waiting.contains(resource.id), !inProgress.contains(resource.id) else { return true }
    guard queued < Self.queueLimit else {
      needsQuery = true
      return false
    }
    enqueue(Work(resource: resource, file: file))
    return queued <= 2 * width
  }

  private mutating func enqueue(_ work: Work) {
    if journal.isSuspect(work.resource.id) { suspects.append(work) } else { queue.append(work) }
    waiting.insert(work.resource.id)
  }

  /// Returns the journal to write to the store before `dequeue` returns more work; nil if no new journal is
  /// needed now. After writing it the caller calls `journalWritten`.
  mutating func journalToWrite() -> [PageWork]? {
    if isRunningSuspect { return nil }
    if next == queue.count, let suspect = suspects.first {
      return tasks.isEmpty ? journal.write(before: [suspect.resource.id], running: []) : nil
    }
    let coming = queue[next...].lazy.map(\.resource.id)
    return journal.write(
      before: coming.prefix(width), andPerhaps: coming.dropFirst(width), running: tasks.keys)
  }

  mutating func journalWritten(_ hasSucceeded: Bool) { journal.written(hasSucceeded) }

  /// The journal to write to the store while no resource is being processed.
  var idleJournal: [PageWork] { journal.idle }

  /// Returns the next work that may start; the caller then calls `started` or `abandoned`.
  mutating func dequeue() -> Work? {
    guard tasks.count < width, !isRunningSuspect else { return nil }
    if next == queue.count, let suspect = suspects.first {
      guard tasks.isEmpty, journal.names(suspect.resource.id) else { return nil }
      isRunningSuspect = true
      return beginWork(suspects.removeFirst())
    }
    guard next < queue.count, journal.names(queue[next].resource.id) else { return nil }
    let work = queue[next]
    next += 1
    if next == queue.count {
      queue.removeAll(keepingCapacity: true)
      next = 0
    } else if next > 1_024 {
      queue.removeFirst(next)
      next = 0
    }
    return beginWork(work)
  }

  private mutating func beginWork(_ work: Work) -> Work {
    waiting.remove(work.resource.id)
    inProgress.insert(work.resource.id)
    return work
  }

  mutating func started(_ work: Work, _ task: Task<Void, Never>) {
    tasks[work.resource.id] = (work.resource.record, task)
  }

  /// Records that the pages of a resource were made; its row is about to be written.
  mutating func workEnded(_ id: ResourceID) {
    tasks[id] = nil
    isRunningSuspect = false
    journal.workEnded(id)
  }

  /// Records that the row of a resource was written.
  mutating func committed(_ id: ResourceID) { inProgress.remove(id) }

  /// Records that the processing was interrupted; the resource stays `fetched` in the store.
  mutating func abandoned(_ id: ResourceID) {
    if tasks.isEmpty || tasks[id] != nil { isRunningSuspect = false }
    tasks[id] = nil
    inProgress.remove(id)
  }

  mutating func requestStoreLookup() { needsQuery = true }

  /// Whether a query is pending and no other work is left whose end would start it.
  var needsImmediateQuery: Bool { needsQuery && queued == 0 && inProgress.isEmpty }

  /// Returns whether to query the store for `fetched` resources now; if so, the caller then calls
  /// `enqueueFetched` within the same turn.
  mutating func beginQuery() -> Bool {
    guard needsQuery, queued == 0 else { return false }
    needsQuery = false
    return true
  }

  /// Enqueues the result of a query; `isAll` means that the store has no further work.
  mutating func enqueueFetched(_ found: [Work], isAll: Bool) {
    for work in found
    where !inProgress.contains(work.resource.id) && !waiting.contains(work.resource.id) {
      enqueue(work)
    }
    // The next query follows when the resources found by this one are processed.
    if !isAll { needsQuery = true }
  }

  /// Drops the waiting work of a record.
  /// - Returns: The resources dropped.
  mutating func dropWork(_ record: RecordID) -> Set<ResourceID> {
    queue.removeSubrange(0..<next)
    next = 0
    queue.removeAll { $0.resource.record == record }
    suspects.removeAll { $0.resource.record == record }
    let before = waiting
    waiting = Set((queue + suspects).map(\.resource.id))
    return before.subtracting(waiting)
  }
}
