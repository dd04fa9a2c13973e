import Models
import Testing
import Transport

@testable import TransportSocket

@Suite("Machines of the socket transport")
struct SocketMachineTests {
  @Test("The next address is tried when one fails or takes too long, until one is connected")
  func race() {
    var race = AddressRace(count: 3)
    #expect(race.handle(.start, now: 0) == .connect(0))
    #expect(race.nextAttempt == AddressRace.delay)
    #expect(race.handle(.waited, now: AddressRace.delay - 1) == .wait)
    #expect(race.handle(.waited, now: AddressRace.delay) == .connect(1))
    #expect(race.handle(.failed, now: AddressRace.delay + 5) == .connect(2))
    #expect(race.nextAttempt == Moment.never)
    #expect(race.handle(.failed, now: AddressRace.delay + 6) == .wait)
    #expect(race.handle(.failed, now: AddressRace.delay + 7) == .exhausted)
  }

  @Test("The families take turns, the resolver's first choice first")
  func interleaving() {
    let mixed = [6, 61, 62, 4, 41].map { $0 }
    #expect(AddressRace.interleaved(mixed) { $0 / 10 == 6 || $0 == 6 } == [6, 4, 61, 41, 62])
    #expect(AddressRace.interleaved([4, 41]) { $0 == 6 } == [4, 41])
    #expect(AddressRace.interleaved([Int]()) { $0 == 6 }.isEmpty)
  }

  @Test("Deadlines come out in order, whatever order they went in", arguments: 0..<10)
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

  @Test("Items leave a queue in order, those that were removed not at all")
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

  @Test("Equal look-ups in work are made once, and their answer holds for a while")
  func resolverCache() {
    var cache = ResolverCache<Int>()
    let address = ResolvedAddress(ip: IPAddress(v4: 0x0102_0304), scope: 0)
    guard case .lookUp = cache.ask("a", 1, now: 0), case .joined = cache.ask("a", 2, now: 1),
      case .lookUp = cache.ask("b", 3, now: 1)
    else { return #expect(Bool(false), "not coalesced") }
    #expect(cache.answered("a", .success([address]), now: 10) == [1, 2])
    #expect(cache.answered("a", .success([]), now: 11).isEmpty)
    let lifetime = ResolverCache<Int>.lifetime
    guard case .known(.success([address])) = cache.ask("a", 4, now: 9 + lifetime) else {
      return #expect(Bool(false), "not kept")
    }
    guard case .lookUp = cache.ask("a", 5, now: 10 + lifetime) else {
      return #expect(Bool(false), "kept for too long")
    }
    #expect(cache.answered("b", .failure(ResolveError(reason: "no")), now: 20) == [3])
    guard case .known(.failure) = cache.ask("b", 6, now: 21),
      case .lookUp = cache.ask("b", 7, now: 20 + ResolverCache<Int>.failureLifetime)
    else { return #expect(Bool(false), "failure not kept, or for too long") }
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
