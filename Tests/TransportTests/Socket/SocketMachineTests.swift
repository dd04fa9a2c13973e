import Models
import Testing
import Transport

@testable import TransportSocket

@Suite("Machines of the socket transport")
struct SocketMachineTests {
  @Test("Deadlines expire in order, for any order of insertion", arguments: 0..<10)
  func deadlines(seed: Int) {
    var random = Sequence64(seed: UInt64(seed))
    var queue = DeadlineQueue()
    var times: [UInt64] = []
    for id in 0..<200 {
      let time = random.next() % 1_000
      times.append(time)
      queue.add(DeadlineQueue.Entry(time: time, id: UInt64(id)))
    }
    #expect(queue.next == times.min())
    var early: [UInt64] = []
    while let entry = queue.popDue(500) { early.append(entry.time) }
    #expect(early == times.filter { $0 <= 500 }.sorted())
    var late: [UInt64] = []
    while let entry = queue.popDue(.max) { late.append(entry.time) }
    #expect(late == times.filter { $0 > 500 }.sorted())
    #expect(queue.next == nil)
  }

  @Test("A moment that is never reached does not overflow")
  func moments() {
    #expect(Moment.after(5, seconds: 1) == 1_000_000_005)
    #expect(Moment.after(5, seconds: 0) == Moment.never)
    #expect(Moment.after(5, seconds: -1) == Moment.never)
    #expect(Moment.after(5, seconds: .infinity) == Moment.never)
    #expect(Moment.after(5, seconds: .nan) == Moment.never)
    #expect(Moment.after(.max - 5, seconds: 1) == Moment.never)
    #expect(Moment.milliseconds(from: 5, to: 4) == 0)
  }

  @Test("Items leave a queue in order, without those that were removed")
  func queue() {
    var queue = Queue<Int>()
    for item in 0..<500 { queue.append(item) }
    queue.remove(0)
    queue.remove(250)
    var out: [Int] = []
    while let item = queue.popFirst() {
      out.append(item)
      if item == 100 { queue.remove(400) }
      if item == 100 { queue.remove(50) }
    }
    #expect(out == (1..<500).filter { $0 != 250 && $0 != 400 })
    #expect(queue.isEmpty)
  }

  @Test("The transfers of one origin spread over the loops within its limit")
  func assignment() {
    let origin = HTTPURL.Origin(scheme: .http, host: "a.example", port: 80)
    var assignment = LoopAssignment(loopCount: 2, limitPerOrigin: 5)
    let first = assignment.assign(origin)
    assignment.release(origin, loop: first.loop)
    #expect(assignment.isIdle)
    #expect(assignment.assign(origin) == first)
    var counts = [0, 0]
    counts[first.loop] += 1
    var limits = [first.loop: first.limit]
    for _ in 1..<10 {
      let place = assignment.assign(origin)
      counts[place.loop] += 1
      limits[place.loop] = place.limit
    }
    #expect(limits.values.reduce(0, +) == 5)
    #expect(counts == (first.loop == 0 ? [6, 4] : [4, 6]))
  }

  @Test("An origin that may have one connection stays on one loop")
  func smallLimit() {
    var assignment = LoopAssignment(loopCount: 4, limitPerOrigin: 1)
    let origin = HTTPURL.Origin(scheme: .http, host: "a.example", port: 80)
    let places = (0..<8).map { _ in assignment.assign(origin) }
    #expect(places.allSatisfy { $0 == places[0] && $0.limit == 1 })
  }
}
