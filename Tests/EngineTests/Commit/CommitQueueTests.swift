import Models
import Persistence
import Testing

@testable import Engine

@Suite struct CommitQueueTests {
  private let start = 1_000.0

  @Test("the first batch is due at once, the next one an interval later")
  func pace() {
    var queue = CommitQueue()
    queue.enqueue(.dropped)
    #expect(queue.gathersUntil(now: start) == nil)
    _ = queue.dequeueBatch(now: start)
    queue.finishBatch()
    queue.enqueue(.dropped)
    #expect(queue.gathersUntil(now: start) == start + CommitQueue.interval)
    #expect(queue.gathersUntil(now: start + 0.005) == start + CommitQueue.interval)
    #expect(queue.gathersUntil(now: start + CommitQueue.interval) == nil)
    #expect(queue.gathersUntil(now: start + 60) == nil)
  }

  @Test("resources that wait for rendering do not wait a whole interval for their commit")
  func paceOfPages() {
    var queue = CommitQueue()
    _ = queue.dequeueBatch(now: start)
    queue.enqueue(.arrival(Self.arrival(.finished(ResourceID(1), pages: [], reason: nil))))
    #expect(queue.gathersUntil(now: start) == start + CommitQueue.interval)
    queue.enqueue(.arrival(Self.arrival(.fetched(ResourceID(1)))))
    #expect(queue.gathersUntil(now: start) == start + CommitQueue.pageInterval)
    _ = queue.dequeueBatch(now: start)
    queue.enqueue(.dropped)
    #expect(queue.gathersUntil(now: start) == start + CommitQueue.interval)
  }

  private static func arrival(_ followUp: ResourceChange) -> CommitWork.Arrival {
    let file = StoredFile(
      name: "1.jpg", byteCount: 1, digest: Digest(words: (1, 2, 3, 4)), format: .jpeg)
    return CommitWork.Arrival(
      resource: Resource(
        id: ResourceID(1), record: RecordID(1), index: 1, url: "https://example.com/1.jpg"),
      file: file,
      record: Record(id: RecordID(1), source: SourceID(1), title: "a", folder: "a"),
      origin: .partial(RequestKey(high: 1, low: 2)), followUp: followUp)
  }

  @Test("the deletion of a partial download is due at once, with everything that is queued")
  func urgent() {
    var queue = CommitQueue()
    _ = queue.dequeueBatch(now: start)
    queue.enqueue(.dropped)
    #expect(queue.gathersUntil(now: start) != nil)
    queue.enqueue(.partialDeleted(RequestKey(high: 1, low: 2)))
    queue.enqueue(.dropped)
    #expect(queue.gathersUntil(now: start) == nil)
    #expect(queue.dequeueBatch(now: start).count == 3)
    queue.enqueue(.dropped)
    #expect(queue.gathersUntil(now: start) != nil)
  }

  @Test("a full batch is due at once")
  func full() {
    var queue = CommitQueue()
    _ = queue.dequeueBatch(now: start)
    for _ in 1..<CommitQueue.batchSize { queue.enqueue(.dropped) }
    #expect(queue.gathersUntil(now: start) != nil)
    queue.enqueue(.dropped)
    #expect(queue.gathersUntil(now: start) == nil)
  }
}
