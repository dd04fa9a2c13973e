import Models
import Testing

@testable import Engine

/// The order of a retried job among the other jobs of its host.
@Suite struct RetryOrderTests {
  @Test(
    "A URL that is always throttled holds up the others of its host for one backoff",
    arguments: [1, 2])
  func healthyFirst(hostLimit: Int) {
    var run = ThrottlingRun(limit: 4, hostLimit: hostLimit)
    run.throttled = [1: .max]
    run.play((1...10).map { SchedulerDriver.item($0) })
    // The first answer, the backoff of half a second, and nine requests one after another. All attempts at
    // the first URL would take 16 s before that.
    #expect((2...10).allSatisfy { run.ends[$0] ?? .infinity < 0.1 + 0.5 + 9 * 0.1 + 0.001 })
    #expect(run.driver.started.count { $0 == 1 } == 1 + Settings().network.retries)
    #expect(run.driver.scheduler.isIdle)
  }

  @Test("It does not hold them up while other hosts use all other connections either")
  func healthyFirstBesideOthers() {
    var run = ThrottlingRun(limit: 2, hostLimit: 1)
    run.throttled = [1: .max]
    run.seconds = ["b": 0.001]
    run.play(
      (1...10).map { SchedulerDriver.item($0) }
        + (11...3_000).map { SchedulerDriver.item($0, host: "b") })
    #expect((2...10).allSatisfy { run.ends[$0] ?? .infinity < 2 })
    #expect(run.driver.scheduler.isIdle)
  }

  @Test("In a long queue a throttled job is tried again after 32 others")
  func bounded() {
    var run = ThrottlingRun(limit: 4, hostLimit: 1)
    run.throttled = [1: 1]
    run.play((1...300).map { SchedulerDriver.item($0) })
    #expect(run.driver.started == Array(1...33) + [1] + Array(34...300))
  }

  @Test("Throttled jobs are tried again in the order in which they were throttled")
  func orderOfRetries() {
    var run = ThrottlingRun(limit: 4, hostLimit: 1)
    run.throttled = [1: 2, 3: 1]
    run.play((1...6).map { SchedulerDriver.item($0) })
    #expect(run.driver.started == [1, 2, 3, 4, 5, 6, 1, 3, 1])
  }

  @Test("A throttled job with a partial file keeps its place")
  func partial() {
    var driver = SchedulerDriver(limit: 4, hostLimit: 1)
    driver.queue = (1...3).map { SchedulerDriver.item($0) }
    driver.queue[0].partial = PartialDownload(
      validator: Validator(entityTag: EntityTag("\"v\"")), totalBytes: 9, bootID: "b",
      syncedBytes: 4)
    driver.send(.queueChanged)
    driver.pushBack("h", for: 1)
    driver.retry(1, at: 1)
    driver.now = 1
    driver.send(.tick)
    #expect(driver.started == [1, 1])
  }

  @Test("A job that failed while its host was not backing off keeps its place")
  func notThrottled() {
    var driver = SchedulerDriver(limit: 4, hostLimit: 1)
    driver.queue = (1...3).map { SchedulerDriver.item($0) }
    driver.send(.queueChanged)
    driver.retry(1, at: 1)
    driver.now = 1
    driver.finish(2)
    #expect(driver.started == [1, 2, 1])
  }

  @Test("A throttled job that becomes visible precedes those that are not")
  func visible() {
    var driver = SchedulerDriver(limit: 4, hostLimit: 1)
    driver.queue = (1...4).map { SchedulerDriver.item($0) }
    driver.send(.queueChanged)
    driver.pushBack("h", for: 1)
    driver.retry(1, at: 0.5)
    driver.now = 1
    driver.send(.tick)
    #expect(driver.started == [1, 2])
    var item = driver.queue[0]
    item.subscriber.raised = .visible
    driver.send(.wanted([item]))
    driver.now = 2
    driver.finish(2)
    #expect(driver.started == [1, 2, 1])
  }

  @Test("A host that throttles every other request leaves room in the window for other hosts")
  func manyThrottled() {
    var network = Settings().network
    network.retries = 1_000
    var run = ThrottlingRun(limit: 4, hostLimit: 1, network: network)
    run.lastTime = 3_000
    run.throttled = Dictionary(uniqueKeysWithValues: (1...3_000).map { ($0 * 2, .max) })
    run.seconds = ["b": 0.1]
    run.play(
      (1...6_000).map { SchedulerDriver.item($0) }
        + (6_001...6_010).map { SchedulerDriver.item($0, host: "b") })
    #expect((6_001...6_010).allSatisfy { run.ends[$0] ?? .infinity < 2 })
    #expect(run.driver.scheduler.window.jobs.count { $0.attempts > 0 } <= 160)
  }
}

/// A scheduler and hosts whose every response takes some time, in virtual time.
private struct ThrottlingRun {
  var driver: SchedulerDriver
  /// The number of requests that are answered with 503, by resource.
  var throttled: [Int64: Int] = [:]
  /// The time of each response; 0.1 s for other hosts.
  var seconds: [HostName: Double] = [:]
  /// The times at which downloads ended, successful or not.
  var ends: [Int64: Double] = [:]
  var lastTime = 1e6
  private let network: Settings.Network
  private var running: [Int64: (start: Double, end: Double)] = [:]

  init(limit: Int, hostLimit: Int, network: Settings.Network = Settings().network) {
    self.network = network
    driver = SchedulerDriver(limit: limit, hostLimit: hostLimit, network: network)
  }

  mutating func play(_ items: [Scheduler.Item]) {
    driver.queue = items
    driver.send(.queueChanged)
    while true {
      for job in driver.active {
        guard let id = job.first, running[id] == nil else { continue }
        running[id] = (driver.now, driver.now + seconds[job.host, default: 0.1])
      }
      let next = running.min { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
      let time = min(next?.value.end ?? .infinity, driver.wake ?? .infinity)
      guard time <= lastTime else { return }
      driver.now = max(driver.now, time)
      if let next, next.value.end <= time {
        running[next.key] = nil
        end(next.key, startedAt: next.value.start)
      } else {
        driver.send(.tick)
      }
    }
  }

  private mutating func end(_ id: Int64, startedAt start: Double) {
    guard let job = driver.active.first(where: { $0.first == id }) else { return }
    guard let left = throttled[id], left > 0 else {
      driver.send(.host(job.host, .answered(startedAt: start)))
      return finish(id)
    }
    throttled[id] = left - 1
    driver.send(
      .host(
        job.host,
        .throttled(startedAt: start, retryAfter: nil, reason: "HTTP 503", chance: 1)))
    let decision = RetryPolicy(network).decide(
      attempts: job.attempts + 1, isRetryable: true, retryAfter: nil, chance: 0.5)
    guard case .retry(let wait) = decision else { return finish(id) }
    driver.retry(id, at: driver.now + wait)
  }

  private mutating func finish(_ id: Int64) {
    ends[id] = driver.now
    driver.finish(id)
  }
}
