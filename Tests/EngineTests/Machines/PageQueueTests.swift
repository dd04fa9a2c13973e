import Hashing
import Models
import Persistence
import Testing

@testable import Engine

@Suite struct PageQueueTests {
  private func work(_ id: Int64, record: Int64 = 1) -> PageQueue.Work {
    PageQueue.Work(
      resource: Resource(id: ResourceID(id), record: RecordID(record), index: 1, url: ""),
      file: StoredFile(
        name: "", byteCount: 1, digest: SHA256Hasher.hash(of: []), format: .png))
  }

  private func take(_ queue: inout PageQueue) -> Int64? {
    write(&queue)
    guard let work = queue.dequeue() else { return nil }
    queue.started(work, Task {})
    return work.resource.id.rawValue
  }

  /// Plays the store, which hears what is going to be processed.
  private func write(_ queue: inout PageQueue) {
    if queue.journalToWrite() != nil { queue.journalWritten(true) }
  }

  /// A call that changes, outside of `#expect`.
  private func shouldLook(_ queue: inout PageQueue) -> Bool { queue.beginQuery() }

  @discardableResult
  private func add(_ queue: inout PageQueue, _ id: Int64, record: Int64 = 1) -> Bool {
    let work = work(id, record: record)
    return queue.add(work.resource, file: work.file)
  }

  @Test("As many resources are rendered at a time as the width, in order")
  func width() {
    var queue = PageQueue(width: 2)
    for id in 1...3 { add(&queue, Int64(id)) }
    #expect(take(&queue) == 1)
    #expect(take(&queue) == 2)
    #expect(take(&queue) == nil)
    queue.workEnded(ResourceID(1))
    #expect(take(&queue) == 3)
  }

  @Test("A resource is active until its row is written")
  func idle() {
    var queue = PageQueue(width: 1)
    #expect(queue.isIdle)
    add(&queue, 1)
    #expect(!queue.isIdle)
    _ = take(&queue)
    queue.workEnded(ResourceID(1))
    #expect(!queue.isIdle)
    queue.committed(ResourceID(1))
    #expect(queue.isIdle)
  }

  @Test("Resources that do not fit are read from the store again")
  func overflow() {
    var queue = PageQueue(width: 1)
    for id in 1...Int64(PageQueue.queueLimit) { add(&queue, id) }
    #expect(!add(&queue, 9_999))
    #expect(queue.queued == PageQueue.queueLimit)
    var done: [Int64] = []
    while let id = take(&queue) {
      done.append(id)
      queue.workEnded(ResourceID(id))
      queue.committed(ResourceID(id))
    }
    #expect(done == Array(1...Int64(PageQueue.queueLimit)))
    #expect(!queue.isIdle)
    #expect(shouldLook(&queue))
    queue.enqueueFetched([work(9_999)], isAll: true)
    #expect(take(&queue) == 9_999)
  }

  @Test("The store is queried once at a time, and only when the queue is empty")
  func looking() {
    var queue = PageQueue(width: 1)
    queue.requestStoreLookup()
    add(&queue, 1)
    #expect(!shouldLook(&queue))
    _ = take(&queue)
    #expect(shouldLook(&queue))
    #expect(!shouldLook(&queue))
  }

  @Test("Active and waiting resources are not taken from the store's answer")
  func lookedKnowsItsOwn() {
    var queue = PageQueue(width: 2)
    add(&queue, 1)
    add(&queue, 2)
    _ = take(&queue)
    _ = take(&queue)
    queue.requestStoreLookup()
    #expect(shouldLook(&queue))
    add(&queue, 3)
    queue.enqueueFetched([work(1), work(2), work(3), work(4)], isAll: true)
    queue.workEnded(ResourceID(1))
    queue.workEnded(ResourceID(2))
    #expect(take(&queue) == 3)
    #expect(take(&queue) == 4)
    #expect(queue.queued == 0)
  }

  @Test("A resource in the store's answer is not rendered twice if its arrival is reported later")
  func namedBefore() {
    var queue = PageQueue(width: 1)
    queue.requestStoreLookup()
    #expect(shouldLook(&queue))
    queue.enqueueFetched([work(1), work(2)], isAll: true)
    #expect(take(&queue) == 1)
    add(&queue, 1)
    add(&queue, 2)
    #expect(queue.queued == 1)
    queue.workEnded(ResourceID(1))
    queue.committed(ResourceID(1))
    #expect(take(&queue) == 2)
    #expect(take(&queue) == nil)
  }

  @Test("If the answer was incomplete, the store is queried again at the end")
  func moreInStore() {
    var queue = PageQueue(width: 1)
    queue.requestStoreLookup()
    #expect(shouldLook(&queue))
    queue.enqueueFetched([work(1)], isAll: false)
    #expect(!queue.needsImmediateQuery)
    _ = take(&queue)
    queue.workEnded(ResourceID(1))
    queue.committed(ResourceID(1))
    #expect(queue.needsImmediateQuery)
  }

  @Test("The waiting resources of a dropped record are removed")
  func drop() {
    var queue = PageQueue(width: 1)
    add(&queue, 1, record: 1)
    add(&queue, 2, record: 2)
    add(&queue, 3, record: 1)
    _ = take(&queue)
    #expect(queue.dropWork(RecordID(1)) == [ResourceID(3)])
    queue.abandoned(ResourceID(1))
    #expect(take(&queue) == 2)
    #expect(queue.queued == 0)
  }

  @Test("Only resources that the store names are handed out, and one text is written at a time")
  func journal() {
    var queue = PageQueue(width: 2)
    for id in 1...30 { add(&queue, Int64(id)) }
    #expect(queue.dequeue() == nil)
    let first = queue.journalToWrite()
    #expect(first?.map(\.resource.rawValue) == Array(1...10))
    #expect(first?.allSatisfy { $0.isRunning && $0.interruptionCount == 0 } == true)
    #expect(queue.journalToWrite() == nil && queue.dequeue() == nil)
    // Where the store fails, nothing is named.
    queue.journalWritten(false)
    #expect(queue.dequeue() == nil)
    for id in 1...30 {
      #expect(take(&queue) == Int64(id))
      queue.workEnded(ResourceID(Int64(id)))
    }
    #expect(queue.idleJournal == [])
  }

  @Test(
    "A suspect waits until no other resource is left, and then each is alone, however many engines have ended"
  )
  func suspects() async {
    let journal = await PageWorkJournal(
      [
        PageWork(ResourceID(2), isRunning: true),
        PageWork(ResourceID(3), interruptionCount: 1, isRunning: true),
        PageWork(ResourceID(4), interruptionCount: 1, isRunning: false),
        PageWork(ResourceID(5), isRunning: true),
      ]) { $0 != ResourceID(5) }
    #expect(journal.idle.map(\.resource.rawValue) == [2, 3, 4])
    var queue = PageQueue(width: 2, journal: journal)
    for id in 1...6 { add(&queue, Int64(id)) }
    #expect([take(&queue), take(&queue), take(&queue)] == [1, 5, nil])
    queue.workEnded(ResourceID(1))
    #expect([take(&queue), take(&queue)] == [6, nil])
    queue.workEnded(ResourceID(5))
    #expect(take(&queue) == nil)
    queue.workEnded(ResourceID(6))
    #expect(
      queue.journalToWrite() == [
        PageWork(ResourceID(2), interruptionCount: 1, isRunning: true),
        PageWork(ResourceID(3), interruptionCount: 2, isRunning: false),
        PageWork(ResourceID(4), interruptionCount: 1, isRunning: false),
      ])
    queue.journalWritten(true)
    #expect([take(&queue), take(&queue)] == [2, nil])
    add(&queue, 7)
    #expect(take(&queue) == nil)
    queue.workEnded(ResourceID(2))
    #expect([take(&queue), take(&queue)] == [7, nil])
    queue.workEnded(ResourceID(7))
    for id: Int64 in [3, 4] {
      #expect([take(&queue), take(&queue)] == [id, nil])
      queue.workEnded(ResourceID(id))
    }
    #expect(queue.idleJournal == [])
  }

  @Test("Only resources whose turn is near keep their place in the progress")
  func soon() {
    var queue = PageQueue(width: 2)
    #expect((1...6).map { add(&queue, $0) } == [true, true, true, true, false, false])
  }
}
