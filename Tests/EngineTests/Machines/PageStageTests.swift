import Hashing
import Models
import Persistence
import Testing

@testable import Engine

@Suite struct PageStageTests {
  private func work(_ id: Int64, record: Int64 = 1) -> PageStage.Work {
    PageStage.Work(
      resource: Resource(id: ResourceID(id), record: RecordID(record), index: 1, url: ""),
      file: StoredFile(
        name: "", byteCount: 1, digest: SHA256Hasher.hash(of: []), format: .png))
  }

  private func take(_ stage: inout PageStage) -> Int64? {
    write(&stage)
    guard let work = stage.dequeue() else { return nil }
    stage.started(work, Task {})
    return work.resource.id.rawValue
  }

  /// Plays the store, which hears what is going to be processed.
  private func write(_ stage: inout PageStage) {
    if stage.journalToWrite() != nil { stage.journalWritten(true) }
  }

  /// A call that changes, outside of `#expect`.
  private func shouldLook(_ stage: inout PageStage) -> Bool { stage.shouldLook() }

  @discardableResult
  private func add(_ stage: inout PageStage, _ id: Int64, record: Int64 = 1) -> Bool {
    let work = work(id, record: record)
    return stage.add(work.resource, file: work.file)
  }

  @Test("So many at a time as it is wide, in order")
  func width() {
    var stage = PageStage(width: 2)
    for id in 1...3 { add(&stage, Int64(id)) }
    #expect(take(&stage) == 1)
    #expect(take(&stage) == 2)
    #expect(take(&stage) == nil)
    stage.workEnded(ResourceID(1))
    #expect(take(&stage) == 3)
  }

  @Test("Work counts until its row is written")
  func idle() {
    var stage = PageStage(width: 1)
    #expect(stage.isIdle)
    add(&stage, 1)
    #expect(!stage.isIdle)
    _ = take(&stage)
    stage.workEnded(ResourceID(1))
    #expect(!stage.isIdle)
    stage.committed(ResourceID(1))
    #expect(stage.isIdle)
  }

  @Test("What does not fit is found in the store again")
  func overflow() {
    var stage = PageStage(width: 1)
    for id in 1...Int64(PageStage.queueLimit) { add(&stage, id) }
    #expect(!add(&stage, 9_999))
    #expect(stage.queued == PageStage.queueLimit)
    var done: [Int64] = []
    while let id = take(&stage) {
      done.append(id)
      stage.workEnded(ResourceID(id))
      stage.committed(ResourceID(id))
    }
    #expect(done == Array(1...Int64(PageStage.queueLimit)))
    #expect(!stage.isIdle)
    #expect(shouldLook(&stage))
    stage.enqueueFetched([work(9_999)], isAll: true)
    #expect(take(&stage) == 9_999)
  }

  @Test("The store is asked once at a time, and only when nothing waits here")
  func looking() {
    var stage = PageStage(width: 1)
    stage.requestStoreLookup()
    add(&stage, 1)
    #expect(!shouldLook(&stage))
    _ = take(&stage)
    #expect(shouldLook(&stage))
    #expect(!shouldLook(&stage))
  }

  @Test("What is at work, waits, or was written meanwhile is not taken from the store's answer")
  func lookedKnowsItsOwn() {
    var stage = PageStage(width: 2)
    add(&stage, 1)
    add(&stage, 2)
    _ = take(&stage)
    _ = take(&stage)
    stage.requestStoreLookup()
    #expect(shouldLook(&stage))
    stage.workEnded(ResourceID(1))
    stage.committed(ResourceID(1))
    add(&stage, 3)
    stage.enqueueFetched([work(1), work(2), work(3), work(4)], isAll: true)
    stage.workEnded(ResourceID(2))
    #expect(take(&stage) == 3)
    #expect(take(&stage) == 4)
    #expect(stage.queued == 0)
  }

  @Test("What the store's answer has named before its arrival was told is not made twice")
  func namedBefore() {
    var stage = PageStage(width: 1)
    stage.requestStoreLookup()
    #expect(shouldLook(&stage))
    stage.enqueueFetched([work(1), work(2)], isAll: true)
    #expect(take(&stage) == 1)
    add(&stage, 1)
    add(&stage, 2)
    #expect(stage.queued == 1)
    stage.workEnded(ResourceID(1))
    stage.committed(ResourceID(1))
    #expect(take(&stage) == 2)
    #expect(take(&stage) == nil)
  }

  @Test("When the answer was not all of it, it looks again at the end")
  func moreInStore() {
    var stage = PageStage(width: 1)
    stage.requestStoreLookup()
    #expect(shouldLook(&stage))
    stage.enqueueFetched([work(1)], isAll: false)
    #expect(!stage.mustLookAtOnce)
    _ = take(&stage)
    stage.workEnded(ResourceID(1))
    stage.committed(ResourceID(1))
    #expect(stage.mustLookAtOnce)
  }

  @Test("What waits of a dropped record goes")
  func drop() {
    var stage = PageStage(width: 1)
    add(&stage, 1, record: 1)
    add(&stage, 2, record: 2)
    add(&stage, 3, record: 1)
    _ = take(&stage)
    stage.dropWork(RecordID(1))
    stage.abandoned(ResourceID(1))
    #expect(take(&stage) == 2)
    #expect(stage.queued == 0)
  }

  @Test("Nothing is given out that the store does not name, and one text is written at a time")
  func journal() {
    var stage = PageStage(width: 2)
    for id in 1...30 { add(&stage, Int64(id)) }
    #expect(stage.dequeue() == nil)
    let first = stage.journalToWrite()
    #expect(first?.map(\.resource.rawValue) == Array(1...10))
    #expect(first?.allSatisfy { $0.isRunning && $0.interruptionCount == 0 } == true)
    #expect(stage.journalToWrite() == nil && stage.dequeue() == nil)
    // Where the store fails, nothing is named.
    stage.journalWritten(false)
    #expect(stage.dequeue() == nil)
    for id in 1...30 {
      #expect(take(&stage) == Int64(id))
      stage.workEnded(ResourceID(Int64(id)))
    }
    #expect(stage.journalAtRest == [])
  }

  @Test("A suspect waits until nothing is at work, and everything waits for it")
  func suspects() async {
    var journal = await PageWorkJournal(
      [
        PageWork(ResourceID(2), isRunning: true),
        PageWork(ResourceID(3), interruptionCount: 1, isRunning: true),
        PageWork(ResourceID(4), interruptionCount: 1, isRunning: false),
        PageWork(ResourceID(5), isRunning: true),
      ]) { $0 != ResourceID(5) }
    #expect(journal.takeTooOftenInterrupted() == [ResourceID(3)])
    #expect(journal.atRest.map(\.resource.rawValue) == [2, 4])
    var stage = PageStage(width: 2, journal: journal)
    add(&stage, 1)
    #expect(take(&stage) == 1)
    for id in 2...6 where id != 3 { add(&stage, Int64(id)) }
    #expect(take(&stage) == nil)
    stage.workEnded(ResourceID(1))
    #expect(
      stage.journalToWrite() == [
        PageWork(ResourceID(2), interruptionCount: 1, isRunning: true),
        PageWork(ResourceID(4), interruptionCount: 1, isRunning: false),
      ])
    stage.journalWritten(true)
    #expect(take(&stage) == 2)
    #expect(take(&stage) == nil)
    stage.workEnded(ResourceID(2))
    #expect(take(&stage) == 4)
    #expect(take(&stage) == nil)
    stage.workEnded(ResourceID(4))
    #expect(take(&stage) == 5)
    #expect(take(&stage) == 6)
    #expect(stage.journalAtRest == [])
  }

  @Test("Only those whose turn comes soon keep their place in the progress")
  func soon() {
    var stage = PageStage(width: 2)
    #expect((1...6).map { add(&stage, $0) } == [true, true, true, true, false, false])
  }
}
