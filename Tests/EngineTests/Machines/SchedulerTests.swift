import Models
import Testing

@testable import Engine

@Suite struct SchedulerTests {
  private func driver(
    _ ids: ClosedRange<Int64>, limit: Int, hostLimit: Int = 100
  ) -> SchedulerDriver {
    var driver = SchedulerDriver(limit: limit, hostLimit: hostLimit)
    driver.queue = ids.map { SchedulerDriver.item($0) }
    driver.send(.queueChanged)
    return driver
  }

  @Test("Nothing is queried before the queue is announced")
  func silentAtFirst() {
    var driver = SchedulerDriver(limit: 2)
    driver.queue = [SchedulerDriver.item(1)]
    driver.send(.limitChanged(8))
    #expect(driver.loads.isEmpty && driver.started.isEmpty && driver.scheduler.isIdle)
    driver.send(.queueChanged)
    #expect(driver.started == [1])
  }

  @Test("Resources start in order, no more than the limit at a time")
  func order() {
    var driver = driver(1...5, limit: 2)
    #expect(driver.started == [1, 2])
    driver.finish(2)
    #expect(driver.started == [1, 2, 3])
    for id: Int64 in [1, 3, 4, 5] { driver.finish(id) }
    #expect(driver.started == [1, 2, 3, 4, 5])
    #expect(driver.scheduler.isIdle)
  }

  @Test("A higher limit fills up at once")
  func limitUp() {
    var driver = driver(1...10, limit: 1)
    driver.send(.limitChanged(8))
    #expect(driver.activeIDs == Array(1...8))
  }

  @Test("A lower limit lets running ones end and starts none until it is reached")
  func limitDown() {
    var driver = driver(1...10, limit: 4)
    driver.send(.limitChanged(1))
    for id: Int64 in [1, 2, 3] { driver.finish(id) }
    #expect(driver.activeIDs == [4])
    driver.finish(4)
    #expect(driver.activeIDs == [5])
  }

  @Test("A limit below one is one", arguments: [0, -7, Int.min])
  func limitBelowOne(limit: Int) {
    var driver = driver(1...3, limit: 2)
    driver.send(.limitChanged(limit))
    driver.finish(1)
    driver.finish(2)
    #expect(driver.activeIDs == [3])
  }

  @Test("A busy host is skipped, and continues with its first resource when it is free")
  func perHost() {
    var driver = SchedulerDriver(limit: 4, hostLimit: 2)
    driver.queue =
      (1...4).map { SchedulerDriver.item($0, host: "a") }
      + (5...6).map { SchedulerDriver.item($0, host: "b") }
    driver.send(.queueChanged)
    #expect(driver.activeIDs == [1, 2, 5, 6])
    driver.finish(5)
    #expect(driver.activeIDs == [1, 2, 6])
    driver.finish(1)
    #expect(driver.activeIDs == [2, 6, 3])
  }

  @Test("Local files have no host and no limit of one")
  func local() {
    var driver = SchedulerDriver(limit: 5, hostLimit: 1)
    driver.queue = (1...5).map { SchedulerDriver.item($0, host: "") }
    driver.send(.queueChanged)
    #expect(driver.activeIDs == [1, 2, 3, 4, 5])
  }

  @Test("A busy host does not keep the window from reaching the others")
  func reachesBeyondBusyHost() {
    var driver = SchedulerDriver(limit: 4, hostLimit: 2)
    driver.queue =
      (1...1_500).map { SchedulerDriver.item($0, host: "a") }
      + [SchedulerDriver.item(1_501, host: "b")]
    driver.send(.queueChanged)
    #expect(driver.activeIDs == [1, 2, 1_501])
  }

  @Test("The window is refilled before it runs dry, and stays bounded")
  func window() {
    var driver = driver(1...6_000, limit: 3)
    var largest = 0
    while let id = driver.activeIDs.first {
      driver.finish(id)
      largest = max(largest, driver.scheduler.waitingCount)
    }
    #expect(driver.started == Array(1...6_000))
    #expect(largest <= 1_024)
    #expect(driver.loads.count <= 6_000 / Scheduler.batch + 4)
    #expect(driver.scheduler.isIdle)
  }

  @Test("Behind a busy host the window is bounded, too")
  func boundedWindow() {
    var driver = SchedulerDriver(limit: 8, hostLimit: 1)
    driver.queue = (1...6_000).map { SchedulerDriver.item($0) }
    driver.send(.queueChanged)
    #expect(driver.scheduler.waitingCount <= 4_096 + Scheduler.batch)
  }

  @Test("A resource to be tried again waits for its time, then goes before later ones")
  func retry() {
    var driver = driver(1...4, limit: 1)
    driver.retry(1, at: 5)
    #expect(driver.activeIDs == [2])
    driver.finish(2)
    #expect(driver.activeIDs == [3])
    driver.now = 5
    driver.finish(3)
    #expect(driver.activeIDs == [1])
    #expect(driver.active.first?.attempts == 1)
  }

  @Test("With a free slot it says when to look again")
  func wake() {
    var driver = driver(1...2, limit: 2)
    driver.retry(1, at: 7)
    driver.retry(2, at: 5)
    #expect(driver.wake == 5)
    driver.now = 5
    driver.send(.tick)
    #expect(driver.activeIDs == [2])
    #expect(driver.wake == 7)
  }

  @Test("A silent host holds its own resources and no others")
  func hostWaits() {
    var driver = SchedulerDriver(limit: 2)
    driver.queue = [
      SchedulerDriver.item(1, host: "a"), SchedulerDriver.item(2, host: "a"),
      SchedulerDriver.item(3, host: "b"), SchedulerDriver.item(4, host: "b"),
    ]
    driver.send(.queueChanged)
    driver.pushBack("a", for: 10)
    driver.finish(1)
    driver.finish(2)
    #expect(driver.activeIDs == [3, 4])
    driver.queue.append(SchedulerDriver.item(5, host: "a"))
    driver.send(.queueChanged)
    driver.finish(3)
    #expect(driver.activeIDs == [4])
    #expect(driver.wake == 10)
    driver.now = 10
    driver.send(.tick)
    #expect(driver.activeIDs == [4, 5])
  }

  @Test("Of two waits of a host the longer one counts")
  func longestHostWait() {
    var driver = SchedulerDriver(limit: 1)
    driver.pushBack("h", for: 10)
    driver.pushBack("h", for: 3)
    driver.queue = [SchedulerDriver.item(1)]
    driver.send(.queueChanged)
    driver.now = 3
    driver.send(.tick)
    #expect(driver.active.isEmpty)
    driver.now = 10
    driver.send(.tick)
    #expect(driver.activeIDs == [1])
  }

  @Test("A host continues when the resource that was prepared for it is dropped")
  func droppedWhileReady() {
    var driver = SchedulerDriver(limit: 4, hostLimit: 1)
    driver.queue = (1...3).map { SchedulerDriver.item($0, record: $0) }
    driver.send(.queueChanged)
    #expect(driver.started == [1])
    driver.send(.diskBehind(true))
    driver.finish(1)
    driver.send(.recordDropped(RecordID(2)))
    driver.send(.diskBehind(false))
    #expect(driver.started == [1, 3])
  }

  @Test("Nothing of a dropped record starts, also if the store still names it")
  func dropped() {
    var driver = SchedulerDriver(limit: 1)
    driver.queue = [
      SchedulerDriver.item(1), SchedulerDriver.item(2, record: 2), SchedulerDriver.item(3),
    ]
    driver.send(.queueChanged)
    driver.send(.recordDropped(RecordID(2)))
    driver.send(.queueChanged)
    driver.finish(1)
    driver.finish(3)
    #expect(driver.started == [1, 3])
    #expect(driver.scheduler.isIdle)
  }

  @Test("Dropping a record does not lose a load or a start")
  func dropGoesOn() {
    var driver = SchedulerDriver(limit: 2)
    driver.queue = (1...600).map { SchedulerDriver.item($0, record: $0 <= 500 ? 1 : 2) }
    driver.send(.queueChanged)
    driver.send(.recordDropped(RecordID(1)))
    for id in driver.activeIDs { driver.finish(id) }
    #expect(driver.activeIDs == [501, 502])
    #expect(
      driver.loads.filter { $0.priority == .normal }.map(\.after?.rawValue) == [nil, 256, 512])
  }

  @Test("A dropped resource that was to be tried again is not")
  func droppedRetry() {
    var driver = driver(1...1, limit: 1)
    driver.send(.recordDropped(RecordID(1)))
    driver.retry(1, at: 0)
    #expect(driver.started == [1])
    #expect(driver.active.isEmpty)
  }

  @Test("A kept record is found again")
  func kept() {
    var driver = driver(1...2, limit: 1)
    driver.send(.recordDropped(RecordID(1)))
    driver.active = []
    driver.send(.ended(SchedulerDriver.request(1)))
    driver.send(.recordRestored(RecordID(1)))
    driver.send(.queueChanged)
    #expect(driver.activeIDs == [1])
  }

  @Test("A result from before a change of the queue is discarded and queried again")
  func staleLoad() {
    var driver = SchedulerDriver(limit: 1)
    driver.answersAtOnce = false
    driver.queue = [SchedulerDriver.item(5)]
    driver.send(.queueChanged)
    driver.answer([], isEnd: true)
    let old = driver.queue
    driver.queue.insert(SchedulerDriver.item(2), at: 0)
    driver.send(.queueChanged)
    #expect(driver.loads.map(\.priority) == [.high, .normal])
    driver.answer(old, isEnd: true)
    #expect(driver.active.isEmpty && driver.loads.map(\.priority) == [.high, .normal, .high])
    driver.answer()
    driver.answer()
    #expect(driver.activeIDs == [2])
  }

  @Test("A resource that is changing its state is not started again")
  func settling() {
    var driver = driver(1...2, limit: 1)
    driver.settle(1)
    // The store still calls it queued.
    driver.send(.queueChanged)
    #expect(driver.activeIDs == [2])
    driver.write([1])
    driver.finish(2)
    #expect(driver.started == [1, 2])
    #expect(driver.scheduler.isIdle)
  }

  @Test("An answer that is older than a written row does not start it again")
  func settledWhileLoading() {
    var driver = driver(1...2, limit: 1)
    driver.settle(1)
    driver.answersAtOnce = false
    driver.send(.queueChanged)
    let old = driver.queue
    driver.write([1])
    driver.answer(old, isEnd: true)
    driver.finish(2)
    #expect(driver.started == [1, 2])
  }

  @Test("A row that failed and was queued again does start again")
  func requeued() {
    var driver = driver(1...1, limit: 1)
    driver.finish(1)
    driver.queue = [SchedulerDriver.item(1)]
    driver.send(.queueChanged)
    #expect(driver.started == [1, 1])
  }

  @Test("While the disk is behind nothing starts")
  func diskBehind() {
    var driver = driver(1...4, limit: 2)
    driver.send(.diskBehind(true))
    driver.finish(1)
    driver.finish(2)
    #expect(driver.active.isEmpty && !driver.scheduler.isIdle)
    driver.send(.diskBehind(false))
    #expect(driver.activeIDs == [3, 4])
  }

  @Test("Once stopped it starts and asks nothing")
  func stopped() {
    var driver = driver(1...4, limit: 1)
    driver.send(.stopped)
    driver.finish(1)
    driver.send(.queueChanged)
    let loads = driver.loads
    driver.send(.limitChanged(9))
    #expect(driver.started == [1])
    #expect(driver.loads == loads)
  }

  @Test("It is idle only when nothing runs, waits or may be left")
  func idle() {
    var driver = SchedulerDriver(limit: 1)
    driver.answersAtOnce = false
    driver.send(.queueChanged)
    for _ in 0..<3 {
      #expect(!driver.scheduler.isIdle)
      driver.answer([], isEnd: true)
    }
    #expect(driver.scheduler.isIdle)
    driver.queue = [SchedulerDriver.item(1)]
    driver.send(.queueChanged)
    for _ in 0..<3 { driver.answer() }
    #expect(!driver.scheduler.isIdle)
    driver.retry(1, at: 3)
    #expect(!driver.scheduler.isIdle)
    driver.now = 3
    driver.send(.tick)
    driver.finish(1)
    #expect(driver.scheduler.isIdle)
  }

  @Test("A file that was not committed answers no request, not even of its own resource")
  func lostAnswer() {
    var driver = SchedulerDriver(limit: 4)
    driver.queue = [SchedulerDriver.item(1, asking: 7), SchedulerDriver.item(2, asking: 7)]
    driver.send(.queueChanged)
    // The second was to be linked to the file of the first, whose record was removed meanwhile.
    driver.settle(1, answer: SchedulerDriver.held(by: 2, asking: 7, asOf: 9, record: 1))
    driver.write([1])
    driver.send(.duplicateMissing([SchedulerDriver.item(2, asking: 7)], missing: ResourceID(1)))
    #expect(driver.answered.isEmpty)
    #expect(driver.started == [1, 2])
  }

  @Test("A full window behind one host has a small cost per event")
  func costBehindBusyHost() {
    var driver = SchedulerDriver(limit: 64, hostLimit: 1)
    driver.queue = (1...5_000).map { SchedulerDriver.item($0) }
    driver.answersAtOnce = false
    driver.send(.queueChanged)
    while driver.pendingLoad != nil { driver.answer() }
    // Each event may look at a few resources, never at the whole window: so many events would take
    // minutes otherwise.
    for _ in 0..<20_000 { _ = driver.scheduler.handle(.tick, now: 0) }
    #expect(driver.activeIDs == [1])
  }
}
