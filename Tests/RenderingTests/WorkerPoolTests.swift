@testable import RenderingSandbox
import Testing

@Suite("The pool's decisions") struct WorkerPoolTests {
  private func pool(slots: Int) -> WorkerPool {
    var pool = WorkerPool(slots: slots)
    // What comes with the first job is out of the way.
    _ = pool.handle(.submit(0))
    _ = pool.handle(.finished(slot: 0, isWarm: false))
    return pool
  }

  @Test("hands out jobs in order, one per slot")
  func order() {
    var pool = pool(slots: 2)
    #expect(pool.handle(.submit(1)) == [.run(1, slot: 0)])
    #expect(pool.handle(.submit(2)) == [.run(2, slot: 1)])
    #expect(pool.handle(.submit(3)) == [])
    #expect(pool.handle(.submit(4)) == [])
    #expect(pool.handle(.finished(slot: 1, isWarm: true)) == [.run(3, slot: 1)])
    #expect(pool.handle(.finished(slot: 0, isWarm: true)) == [.run(4, slot: 0)])
  }

  @Test("starts the workers of the other slots with the first job, once")
  func prepares() {
    var pool = WorkerPool(slots: 3)
    #expect(
      pool.handle(.submit(1)) == [.run(1, slot: 0), .prepare(slot: 1), .prepare(slot: 2)])
    #expect(pool.handle(.submit(2)) == [.run(2, slot: 1)])
  }

  @Test("prefers a slot with a running worker")
  func warm() {
    var pool = pool(slots: 3)
    #expect(pool.handle(.submit(1)) == [.run(1, slot: 0)])
    #expect(pool.handle(.submit(2)) == [.run(2, slot: 1)])
    #expect(pool.handle(.finished(slot: 0, isWarm: false)) == [])
    #expect(pool.handle(.finished(slot: 1, isWarm: true)) == [])
    #expect(pool.handle(.submit(3)) == [.run(3, slot: 1)])
    #expect(pool.handle(.submit(4)) == [.run(4, slot: 0)])
  }

  @Test("drops a job that is cancelled before its turn, once, and continues with the next")
  func withdrawing() {
    var pool = pool(slots: 1)
    _ = pool.handle(.submit(1))
    _ = pool.handle(.submit(2))
    _ = pool.handle(.submit(3))
    #expect(pool.handle(.withdraw(2)) == [.drop(2)])
    #expect(pool.handle(.withdraw(2)) == [])
    #expect(pool.handle(.withdraw(1)) == [])
    #expect(pool.handle(.withdraw(99)) == [])
    #expect(pool.handle(.finished(slot: 0, isWarm: true)) == [.run(3, slot: 0)])
  }

  @Test("drops waiting jobs when it is shut down, and all later ones")
  func shutdown() {
    var pool = pool(slots: 1)
    _ = pool.handle(.submit(1))
    _ = pool.handle(.submit(2))
    _ = pool.handle(.submit(3))
    _ = pool.handle(.withdraw(3))
    #expect(pool.handle(.shutdown) == [.drop(2)])
    #expect(pool.handle(.shutdown) == [])
    #expect(pool.handle(.submit(4)) == [.drop(4)])
    #expect(pool.handle(.finished(slot: 0, isWarm: true)) == [])
  }

  @Test("keeps the order of a long queue")
  func longQueue() {
    var pool = pool(slots: 1)
    var order: [WorkerPool.JobID] = []
    func note(_ actions: [WorkerPool.Action]) {
      for case .run(let job, _) in actions { order.append(job) }
    }
    for job in 1...1_000 { note(pool.handle(.submit(WorkerPool.JobID(job)))) }
    for _ in 1...1_000 { note(pool.handle(.finished(slot: 0, isWarm: true))) }
    #expect(order == Array(1...1_000))
  }
}
