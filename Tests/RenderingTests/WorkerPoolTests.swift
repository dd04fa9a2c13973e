@testable import RenderingSandbox
import Testing

@Suite("The pool's decisions") struct WorkerPoolTests {
  @Test("gives jobs out in their order, each lane one, each lane with a new worker first")
  func order() {
    var pool = WorkerPool(lanes: 2)
    #expect(pool.handle(.submit(1)) == [.run(1, lane: 0, fresh: true)])
    #expect(pool.handle(.submit(2)) == [.run(2, lane: 1, fresh: true)])
    #expect(pool.handle(.submit(3)) == [])
    #expect(pool.handle(.submit(4)) == [])
    #expect(pool.handle(.finished(lane: 1, .sound)) == [.run(3, lane: 1, fresh: false)])
    #expect(pool.handle(.finished(lane: 0, .sound)) == [.run(4, lane: 0, fresh: false)])
  }

  @Test("prefers a lane whose worker is running to one that would have to start its own")
  func warm() {
    var pool = WorkerPool(lanes: 3)
    #expect(pool.handle(.submit(1)) == [.run(1, lane: 0, fresh: true)])
    #expect(pool.handle(.submit(2)) == [.run(2, lane: 1, fresh: true)])
    #expect(pool.handle(.finished(lane: 0, .lost)) == [])
    #expect(pool.handle(.finished(lane: 1, .sound)) == [])
    #expect(pool.handle(.submit(3)) == [.run(3, lane: 1, fresh: false)])
    #expect(pool.handle(.submit(4)) == [.run(4, lane: 0, fresh: true)])
  }

  @Test("replaces a worker after its number of jobs, and one that is lost at once")
  func recycling() {
    var pool = WorkerPool(lanes: 1, usesPerWorker: 3)
    var fresh: [Bool] = []
    for job in 1...8 {
      if case .run(_, _, let isFresh)? = pool.handle(.submit(WorkerPool.JobID(job))).first {
        fresh.append(isFresh)
      }
      _ = pool.handle(.finished(lane: 0, job == 5 ? .lost : .sound))
    }
    #expect(fresh == [true, false, false, true, false, true, false, false])
  }

  @Test("drops a job that is withdrawn before its turn, once, and goes on with the next")
  func withdrawing() {
    var pool = WorkerPool(lanes: 1)
    _ = pool.handle(.submit(1))
    _ = pool.handle(.submit(2))
    _ = pool.handle(.submit(3))
    #expect(pool.handle(.withdraw(2)) == [.drop(2)])
    #expect(pool.handle(.withdraw(2)) == [])
    #expect(pool.handle(.withdraw(1)) == [])
    #expect(pool.handle(.withdraw(99)) == [])
    #expect(pool.handle(.finished(lane: 0, .sound)) == [.run(3, lane: 0, fresh: false)])
  }

  @Test("drops what waits when it is shut down, and whatever comes after")
  func shutdown() {
    var pool = WorkerPool(lanes: 1)
    _ = pool.handle(.submit(1))
    _ = pool.handle(.submit(2))
    _ = pool.handle(.submit(3))
    _ = pool.handle(.withdraw(3))
    #expect(pool.handle(.shutdown) == [.drop(2)])
    #expect(pool.handle(.shutdown) == [])
    #expect(pool.handle(.submit(4)) == [.drop(4)])
    #expect(pool.handle(.finished(lane: 0, .sound)) == [])
  }

  @Test("keeps the order of a long queue")
  func longQueue() {
    var pool = WorkerPool(lanes: 1)
    var order: [WorkerPool.JobID] = []
    func note(_ actions: [WorkerPool.Action]) {
      for case .run(let job, _, _) in actions { order.append(job) }
    }
    for job in 1...1_000 { note(pool.handle(.submit(WorkerPool.JobID(job)))) }
    for _ in 1...1_000 { note(pool.handle(.finished(lane: 0, .sound))) }
    #expect(order == Array(1...1_000))
  }
}
