import Models
import Testing

@testable import Engine

@Suite struct CommitQueueTests {
  private let start = ContinuousClock.now

  @Test("the first batch is due at once, the next one an interval later")
  func pace() {
    var queue = CommitQueue()
    queue.add(.dropped)
    #expect(queue.pause(now: start) == nil)
    _ = queue.takeBatch(now: start)
    queue.finishBatch()
    queue.add(.dropped)
    #expect(queue.pause(now: start) == CommitQueue.interval)
    #expect(queue.pause(now: start + .milliseconds(5)) == CommitQueue.interval - .milliseconds(5))
    #expect(queue.pause(now: start + CommitQueue.interval) == nil)
    #expect(queue.pause(now: start + .seconds(60)) == nil)
  }

  @Test("what is known of a long body is due at once, with all that has gathered")
  func urgent() {
    var queue = CommitQueue()
    _ = queue.takeBatch(now: start)
    queue.add(.dropped)
    #expect(queue.pause(now: start) != nil)
    queue.add(.partialGone(RequestKey(high: 1, low: 2)))
    queue.add(.dropped)
    #expect(queue.pause(now: start) == nil)
    #expect(queue.takeBatch(now: start).count == 3)
    queue.add(.dropped)
    #expect(queue.pause(now: start) != nil)
  }

  @Test("a whole batch is due whenever it has gathered")
  func full() {
    var queue = CommitQueue()
    _ = queue.takeBatch(now: start)
    for _ in 1..<CommitQueue.batchSize { queue.add(.dropped) }
    #expect(queue.pause(now: start) != nil)
    queue.add(.dropped)
    #expect(queue.pause(now: start) == nil)
  }
}
