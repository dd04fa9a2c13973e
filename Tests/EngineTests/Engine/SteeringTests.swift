import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// What may change while it runs: how many at a time, how many at one host, and which first.
@Suite(.timeLimit(.minutes(60))) struct SteeringTests {
  /// Each picture waits at a gate of its own.
  private func serveHeld(_ lab: Lab, _ count: Int, hosts: [String] = ["h"]) -> [Gate] {
    let gates = (1...count).map { number in
      let gate = Gate()
      let url = Lab.url(number, host: hosts[number % hosts.count])
      lab.web.serve(url, FakeAnswer.file(Lab.image(number)).held(by: gate))
      return gate
    }
    lab.serveList((1...count).map { Lab.url($0, host: hosts[$0 % hosts.count]) })
    return gates
  }

  @Test("A limit of 32, then 2, then 16 takes effect at once, downwards as transfers end")
  func concurrency() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 32
    lab.settings.network.maxPerHost = 64
    let gates = serveHeld(lab, 80)
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await lab.web.activity.until { $0.active == 32 }
    try await engine.setConcurrency(2)
    #expect(await engine.status().concurrency == 2)
    for gate in gates[0..<31] { gate.open() }
    try await lab.web.activity.until { $0.active == 1 }
    // The thirty-first end makes room for one, the thirty-second for another.
    try await lab.web.activity.until { $0.active == 2 }
    gates[31].open()
    try await gates[33].untilWaiting()
    #expect(lab.web.activity.value.active == 2)
    try await engine.setConcurrency(16)
    try await lab.web.activity.until { $0.active == 16 }
    for gate in gates { gate.open() }
    try await engine.waitUntilIdle()
    #expect(lab.web.activity.value.peak == 32)
    let seq = try #require(await engine.status().seq)
    try await engine.setConcurrency(3)
    #expect(await engine.status().seq == seq + 1, "the status names the last event that it knows")
    await engine.stop()
    #expect(try await lab.disk.totals().finished == 80)
  }

  @Test("The limit per host takes effect at once, too, and other hosts use the rest")
  func perHost() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 12
    lab.settings.network.maxPerHost = 8
    let gates = serveHeld(lab, 60, hosts: ["a", "b"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await lab.web.activity.until { $0.active == 12 }
    try await engine.setPerHost(2)
    for gate in gates[0..<12] { gate.open() }
    // Of what comes next, two of each host.
    for gate in gates[12..<16] { try await gate.untilWaiting() }
    #expect(lab.web.activity.value.hosts["http://a"] == 2)
    #expect(lab.web.activity.value.active == 4)
    try await engine.setPerHost(6)
    try await lab.web.activity.until { $0.hosts["http://a"] == 6 && $0.hosts["http://b"] == 6 }
    for gate in gates { gate.open() }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.disk.totals().finished == 60)
    try await lab.checkLibrary()
  }

  @Test("A changed limit is kept in the next run, unless its options set another one")
  func persistent() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    try await engine.setConcurrency(3)
    try await engine.setPerHost(5_000)
    try await engine.setPerHost(-1)
    try await engine.setRateLimit(2 << 20)
    await engine.stop()
    #expect(lab.web.rateLimits.value == [2 << 20], "at once")
    try await events.until(.concurrencyChanged(3))
    try await events.until(.perHostChanged(1_024))
    try await events.until(.perHostChanged(1))
    try await events.until(.rateLimitChanged(2 << 20))
    lab.newProcess()
    let next = try await lab.open()
    let status = await next.status()
    #expect(status.concurrency == 3 && status.perHost == 1 && status.rateLimit == 2 << 20)
    #expect(lab.web.rateLimits.value == [2 << 20], "in the next run, too")
    // The limit of a client that keeps it itself holds until the engine ends.
    await next.setRateLimit(bytesPerSecond: 5)
    #expect(await next.status().rateLimit == 5)
    await next.stop()
    lab.newProcess()
    let overriding = try await lab.open(
      overriding: [
        "network.maxConcurrentDownloads", "network.maxPerHost", "network.limitRate",
      ])
    let settings = lab.settings.network
    #expect(await overriding.status().concurrency == settings.maxConcurrentDownloads)
    #expect(await overriding.status().perHost == settings.maxPerHost)
    #expect(await overriding.status().rateLimit == settings.limitRate)
    await overriding.stop()
  }

  // MARK: - Priority

  private func order(_ lab: Lab) -> [Int] {
    lab.web.requests.compactMap {
      $0.url.contains("/p/") ? Int($0.url.dropFirst(11).dropLast(4)) : nil
    }
  }

  @Test(
    "Records of high priority are first, those of low priority last, also if it is changed later")
  func priority() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = Gate()
    lab.web.serve(Lab.url(1), FakeAnswer.file(Lab.image(1)).held(by: gate))
    lab.serveImages(1...5, at: "http://h/a.txt")
    lab.serveImages(11...15, at: "http://h/b.txt")
    lab.serveImages(21...25, at: "http://h/c.txt")
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    var ids: [RecordID] = []
    for list in ["a", "b", "c"] {
      ids += try await engine.add(Lab.request("http://h/\(list).txt")).records
    }
    try await gate.untilWaiting()
    try await engine.setPriority(.high, of: ids[2])
    try await engine.setPriority(.low, of: ids[0])
    gate.open()
    try await engine.waitUntilIdle()
    #expect(order(lab) == [1] + Array(21...25) + Array(11...15) + Array(2...5))
    try await events.until(.priorityChanged(ids[2], .high))
    await engine.stop()
    #expect(try await lab.records().map(\.priority) == [.low, .normal, .high])
    try await lab.checkLibrary()
  }

  @Test("A priority applies to resources far back in the queue, and in the next run")
  func priorityOfMany() async throws {
    let lab = try Lab()
    lab.settings.rendering.thumbnails = false
    lab.settings.network.maxConcurrentDownloads = 1
    lab.serveImages(1...700, at: "http://h/a.txt")
    lab.serveImages(1_001...1_020, at: "http://h/b.txt")
    let engine = try await lab.open()
    _ = try await engine.add(Lab.request("http://h/a.txt"))
    let late = try await engine.add(Lab.request("http://h/b.txt")).records[0]
    try await engine.setPriority(.high, of: late)
    await engine.stop()
    lab.newProcess()
    let next = try await lab.started()
    try await next.waitUntilIdle()
    await next.stop()
    #expect(Array(order(lab).prefix(20)) == Array(1_001...1_020))
    #expect(order(lab).count == 720)
  }

  @Test("A shared request has the highest priority of its records")
  func sharedPriority() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = Gate()
    lab.web.serve(Lab.url(1), FakeAnswer.file(Lab.image(1)).held(by: gate))
    lab.serveImages(1...9, at: "http://h/a.txt")
    lab.serveImages(8...8, at: "http://h/b.txt")
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request("http://h/a.txt"))
    let second = try await engine.add(Lab.request("http://h/b.txt")).records[0]
    try await gate.untilWaiting()
    try await engine.setPriority(.high, of: second)
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(order(lab) == [1, 8, 2, 3, 4, 5, 6, 7, 9])
    try await lab.checkLibrary()
  }

  @Test("The wait of a host is not reported when nothing waits for the host any more")
  func settledHost() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    lab.serveList([Lab.url(1, host: "a"), Lab.url(2, host: "b")])
    lab.web.serve(
      Lab.url(1, host: "a"), FakeAnswer(status: 503).with("Retry-After", "40"))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    #expect(try await lab.disk.totals().failed == 1)
    #expect(await engine.status().hosts == [])
    await engine.stop()
  }

  @Test("One of twenty hosts sends Retry-After: it waits, the others continue")
  func oneSilentHost() async throws {
    let clock = ManualClock()
    let lab = try Lab(clock: clock)
    let hosts = (0..<20).map { "h\($0)" }
    lab.serveList((0..<200).map { Lab.url($0, host: hosts[$0 % 20]) })
    for number in stride(from: 7, to: 200, by: 20) {
      lab.web.serve(
        Lab.url(number, host: "h7"), FakeAnswer(status: 429).with("Retry-After", "40"),
        .file(Lab.image(number)))
    }
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await lab.untilCommitted { $0.finished == 190 }
    let waiting = try #require(await engine.status().hosts.first { $0.host == "http://h7" })
    #expect(waiting.secondsToWait == 40 && waiting.reason == "HTTP 429 Too Many Requests")
    #expect(waiting.limit < lab.settings.network.maxPerHost)
    clock.run()
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.disk.totals().finished == 200)
    #expect(clock.now() >= 40)
    try await lab.checkLibrary()
  }

  @Test("Thousands of waiting resources of one host do not delay those of other hosts")
  func silentHostInFront() async throws {
    let clock = ManualClock()
    let lab = try await Lab.withDatabase(clock: clock)
    lab.settings.rendering.thumbnails = false
    lab.settings.network.maxConcurrentDownloads = 4
    let many = 6_000
    lab.serveList(
      (0..<many).map { Lab.url($0, host: "busy") } + (0..<50).map { Lab.url($0, host: "free") })
    lab.web.serve(
      Lab.url(0, host: "busy"), FakeAnswer(status: 503).with("Retry-After", "50"),
      .file(Lab.image(0)))
    lab.settings.network.maxPerHost = 1
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await lab.web.activity.until { $0.hosts["http://free"] != nil }
    try await lab.untilCommitted { $0.finished >= 50 }
    #expect(lab.web.requests.filter { $0.url.contains("busy") }.count == 1)
    await engine.stop()
    await lab.disk.close()
  }
}
