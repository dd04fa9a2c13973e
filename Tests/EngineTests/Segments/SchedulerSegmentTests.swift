import Models
import TestSupport
import Testing

@testable import Engine

@Suite("Further connections of one transfer, in the scheduler") struct SchedulerSegmentTests {
  private static func request(_ number: Int64) -> RequestKey { SchedulerDriver.request(number) }

  /// Starts the jobs 1 to `count` of the host `h`.
  private static func driver(limit: Int, hostLimit: Int = 100, jobs count: Int64) -> Driver {
    var driver = Driver(Scheduler(limit: limit, hostLimit: hostLimit))
    driver.send(.wanted((1...count).map { SchedulerDriver.item($0) }))
    return driver
  }

  /// Applies events, and counts the connections.
  struct Driver {
    var scheduler: Scheduler
    var now = 0.0
    var started: [Int64] = []
    var granted: [RequestKey: Int] = [:]
    var withdrawn: [RequestKey] = []
    var holds: [Scheduler.SegmentHold] = []
    var wake: Double?

    init(_ scheduler: Scheduler) { self.scheduler = scheduler }

    mutating func send(_ event: Scheduler.Event) {
      let action = scheduler.handle(event, now: now)
      started += action.start.compactMap { $0.subscribers.first?.resource.id.rawValue }
      for request in action.startSegments { granted[request, default: 0] += 1 }
      withdrawn += action.withdrawSegments
      holds += action.holdSegments
      wake = action.wake
    }
  }

  @Test("A transfer gets what it wants within both limits", arguments: [(8, 100), (100, 8)])
  func limits(limit: Int, hostLimit: Int) {
    var driver = Self.driver(limit: limit, hostLimit: hostLimit, jobs: 1)
    driver.send(.segmentsWanted(Self.request(1), 3))
    #expect(driver.granted == [Self.request(1): 3])
    driver.send(.segmentsWanted(Self.request(1), 20))
    #expect(driver.granted == [Self.request(1): 7])
    #expect(driver.scheduler.usedSlots == 8)
  }

  @Test("No connection is granted while a job waits for one")
  func jobsFirst() {
    var driver = Self.driver(limit: 2, jobs: 3)
    driver.send(.segmentsWanted(Self.request(1), 3))
    #expect(driver.started == [1, 2] && driver.granted.isEmpty)
    driver.send(.ended(Self.request(2)))
    #expect(driver.started == [1, 2, 3] && driver.granted.isEmpty)
    driver.send(.ended(Self.request(3)))
    #expect(driver.granted == [Self.request(1): 1])
  }

  @Test("A new job takes the connections back, one by one as they end")
  func withdrawal() {
    var driver = Self.driver(limit: 4, jobs: 1)
    driver.send(.segmentsWanted(Self.request(1), 3))
    #expect(driver.granted == [Self.request(1): 3])
    driver.send(.wanted([SchedulerDriver.item(2)]))
    #expect(driver.started == [1] && driver.withdrawn == [Self.request(1)])
    driver.send(.tick)
    #expect(driver.withdrawn.count == 1)
    driver.send(.segmentEnded(Self.request(1)))
    #expect(driver.started == [1, 2] && driver.granted == [Self.request(1): 3])
    driver.send(.segmentEnded(Self.request(1)))
    driver.send(.segmentEnded(Self.request(1)))
    // The connections that the job leaves free are granted again.
    #expect(driver.granted == [Self.request(1): 5] && driver.scheduler.usedSlots == 4)
  }

  @Test("No more connections are withdrawn than jobs wait, from the newest transfer first")
  func sparingWithdrawal() {
    var driver = Self.driver(limit: 8, jobs: 2)
    driver.send(.segmentsWanted(Self.request(1), 3))
    driver.send(.segmentsWanted(Self.request(2), 3))
    driver.send(.wanted([SchedulerDriver.item(3)]))
    #expect(driver.withdrawn == [Self.request(2)])
    driver.send(.wanted((4...6).map { SchedulerDriver.item($0) }))
    #expect(driver.withdrawn == [2, 2, 2, 1].map { Self.request($0) })
    driver.send(.tick)
    #expect(driver.withdrawn.count == 4)
  }

  @Test("A job of the same host takes a connection back at the limit of the host")
  func hostWithdrawal() {
    var driver = Self.driver(limit: 100, hostLimit: 3, jobs: 1)
    driver.send(.segmentsWanted(Self.request(1), 9))
    driver.send(.wanted([SchedulerDriver.item(2), SchedulerDriver.item(3, host: "other")]))
    #expect(driver.started == [1, 3] && driver.withdrawn == [Self.request(1)])
    driver.send(.segmentEnded(Self.request(1)))
    #expect(driver.started == [1, 3, 2])
  }

  @Test("The end of a transfer frees all of its connections")
  func end() {
    var driver = Self.driver(limit: 4, hostLimit: 4, jobs: 1)
    driver.send(.segmentsWanted(Self.request(1), 3))
    driver.send(.wanted((2...5).map { SchedulerDriver.item($0) }))
    driver.send(.ended(Self.request(1)))
    #expect(driver.started == [1, 2, 3, 4, 5] && driver.scheduler.usedSlots == 4)
    // A report that was on its way changes nothing.
    driver.send(.segmentEnded(Self.request(1)))
    driver.send(.segmentsWanted(Self.request(1), 3))
    #expect(driver.scheduler.usedSlots == 4 && driver.scheduler.active.segmented.isEmpty)
  }

  @Test("A host that throttles gets no further connection until its backoff ends")
  func throttling() throws {
    var driver = Self.driver(limit: 100, hostLimit: 8, jobs: 1)
    driver.now = 1
    driver.send(
      .host("h", .throttled(startedAt: 0.5, retryAfter: 5, reason: "HTTP 503", chance: 0)))
    driver.send(.segmentsWanted(Self.request(1), 7))
    #expect(driver.granted.isEmpty)
    driver.now = try #require(driver.wake)
    #expect(driver.now >= 6)
    driver.send(.tick)
    #expect(driver.granted[Self.request(1)] == 1)
    for _ in 0..<20 {
      guard let wake = driver.wake else { break }
      driver.now = wake
      driver.send(.tick)
    }
    // The budget of the host was halved: four connections, the first one included.
    #expect(driver.granted[Self.request(1)] == 3)
  }

  @Test("A transfer that refuses a connection gets none until it wants some again")
  func refusal() {
    var driver = Self.driver(limit: 8, jobs: 1)
    driver.send(.segmentsWanted(Self.request(1), 2))
    driver.send(.segmentRefused(Self.request(1)))
    driver.send(.segmentRefused(Self.request(1)))
    driver.send(.tick)
    #expect(driver.granted == [Self.request(1): 2] && driver.scheduler.usedSlots == 1)
    #expect(driver.scheduler.active.segmented.isEmpty)
    driver.send(.segmentsWanted(Self.request(1), 1))
    #expect(driver.granted == [Self.request(1): 3])
  }

  @Test("A host limit that falls takes connections back", arguments: [1, 3, 8])
  func fallenHostLimit(limit: Int) {
    var driver = Self.driver(limit: 100, hostLimit: 8, jobs: 1)
    driver.send(.segmentsWanted(Self.request(1), 7))
    driver.send(.hostLimitChanged(limit))
    #expect(driver.withdrawn.count == 8 - limit)
    driver.send(.tick)
    #expect(driver.withdrawn.count == 8 - limit)
    for _ in driver.withdrawn { driver.send(.segmentEnded(Self.request(1))) }
    #expect(driver.scheduler.usedSlots == limit && driver.granted == [Self.request(1): 7])
  }

  @Test("A host that throttles gets no request of a running transfer until its backoff ends")
  func holds() {
    var driver = Self.driver(limit: 100, hostLimit: 8, jobs: 1)
    driver.send(.segmentsWanted(Self.request(1), 7))
    driver.now = 1
    let event = Scheduler.HostEvent.throttled(
      startedAt: 0.5, retryAfter: 10, reason: "HTTP 429", chance: 0)
    driver.send(.host("h", event))
    #expect(driver.holds == [Scheduler.SegmentHold(request: Self.request(1), seconds: 10)])
    #expect(driver.withdrawn.count == 4)
    driver.now = 5
    driver.send(.tick)
    #expect(driver.holds.count == 1)
    driver.send(.host("h", event))
    #expect(driver.holds.last?.seconds == 10 && driver.holds.count == 2)
  }

  @Test("Connections count for the host that a redirect has led to")
  func redirected() {
    var driver = Self.driver(limit: 100, hostLimit: 4, jobs: 2)
    driver.send(.segmentsWanted(Self.request(1), 9, from: "cdn"))
    #expect(driver.granted == [Self.request(1): 4])
    #expect(driver.scheduler.hosts.entries["cdn"]?.active == 4)
    #expect(driver.scheduler.hosts.entries["h"]?.active == 2)
    driver.now = 1
    driver.send(
      .host("cdn", .throttled(startedAt: 0.5, retryAfter: 3, reason: "HTTP 429", chance: 0)))
    #expect(driver.withdrawn.count == 2 && driver.holds.count == 1)
    driver.send(.ended(Self.request(1)))
    #expect(driver.scheduler.hosts.entries["cdn"]?.active == 0)
    #expect(driver.scheduler.hosts.entries["h"]?.active == 1)
  }

  @Test("A pause takes connections back and grants none")
  func pause() {
    var driver = Self.driver(limit: 8, jobs: 1)
    driver.send(.segmentsWanted(Self.request(1), 2))
    driver.send(.paused(true))
    #expect(driver.withdrawn == [Self.request(1), Self.request(1)])
    driver.send(.segmentsWanted(Self.request(1), 7))
    #expect(driver.granted == [Self.request(1): 2])
  }

  @Test("At random, the limits hold and every slot is freed", arguments: 0..<100)
  func randomRun(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let (limit, hostLimit) = (
      Int.random(in: 1...6, using: &random), Int.random(in: 1...6, using: &random)
    )
    var driver = Driver(Scheduler(limit: limit, hostLimit: hostLimit))
    var next: Int64 = 0
    for _ in 0..<400 {
      driver.now += 0.01
      let active = driver.scheduler.active.transfers.map { $0.key }
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        next += 1
        driver.send(.wanted([SchedulerDriver.item(next, host: next % 3 == 0 ? "a" : "h")]))
      case 3..<6:
        guard let request = active.randomElement(using: &random) else { continue }
        driver.send(.segmentsWanted(request, .random(in: 0...5, using: &random)))
      case 6..<8:
        guard let request = active.randomElement(using: &random) else { continue }
        driver.send(.segmentEnded(request))
      default:
        guard let request = active.randomElement(using: &random) else { continue }
        driver.send(.ended(request))
      }
      let uses = driver.scheduler.active.transfers.map { $0.value.segments.count }
      #expect(driver.scheduler.active.segmentCount == uses.reduce(0, +))
      #expect(driver.scheduler.usedSlots <= limit)
      for host in ["a", "h"] as [HostName] {
        #expect(driver.scheduler.hosts.entries[host]?.active ?? 0 <= hostLimit)
      }
    }
    while let request = driver.scheduler.active.transfers.first?.key {
      driver.send(.ended(request))
    }
    #expect(driver.scheduler.usedSlots == 0 && driver.scheduler.hosts.count == 0)
    #expect(driver.started.count == Int(next))
  }
}
