import LibraryAPI
import Models
import Testing
import TestSupport
import Transport
@testable import Engine

/// What happens behind a redirect counts for the host that it led to.
@Suite(.timeLimit(.minutes(60))) struct RedirectTests {
  /// Twenty URLs of one host that lead elsewhere, and twenty that do not.
  private func run(
    _ answer: FakeAnswer, changing change: (Lab) -> Void = { _ in }
  ) async throws -> (lab: Lab, elsewhere: [Resource], here: [Resource]) {
    let lab = try Lab()
    lab.settings.network.maxPerHost = 2
    let elsewhere = 1...20
    for number in elsewhere {
      lab.web.serve(Lab.url(number), answer.redirected(to: "http://elsewhere/\(number)"))
    }
    change(lab)
    lab.serveImages(1...40)
    try await lab.run()
    try await lab.checkLibrary()
    let all = try await lab.allResources()
    return (lab, Array(all.prefix(20)), Array(all.suffix(20)))
  }

  @Test(
    "A dead target of redirects is not blamed on the host that redirects",
    arguments: [TransportError.Code.connectionRefused, .dns, .connectTimeout, .idleTimeout])
  func deadTarget(code: TransportError.Code) async throws {
    let (lab, elsewhere, here) = try await run(.failure(code))
    #expect(here.allSatisfy { $0.state == .finished })
    #expect(elsewhere.allSatisfy { $0.state == .failed })
    #expect(elsewhere.allSatisfy { $0.reason == "\(code.rawValue), as written down" })
    // Each was asked for itself, and not as often as its own retries would allow: the target is lost.
    let counts = (1...20).map { lab.web.requests(for: Lab.url($0)).count }
    #expect(counts.allSatisfy { $0 >= 1 })
    #expect(counts.reduce(0, +) < 60)
  }

  @Test("A target of redirects that asks for less is the one that waits")
  func busyTarget() async throws {
    let clock = ManualClock()
    let lab = try Lab(clock: clock)
    lab.settings.network.maxConcurrentDownloads = 1
    lab.web.serve(
      Lab.url(1),
      FakeAnswer(status: 429).with("Retry-After", "30").redirected(to: "http://elsewhere/1"),
      .file(Lab.image(1)))
    lab.serveImages(1...3)
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    _ = try await engine.add(Lab.request())
    // The clock stands still: the others wait for nothing.
    try await lab.untilCommitted { $0.finished == 2 }
    try await events.until {
      if case .hostWaits(host: "http://elsewhere", _, _) = $0 { true } else { false }
    }
    #expect(lab.web.requests(for: Lab.url(1)).count == 1)
    await engine.stop()
  }

  @Test("The own trouble of a host that redirects is still its own")
  func deadRedirector() async throws {
    let (lab, elsewhere, here) = try await run(.failure(.connectionRefused)) { lab in
      for number in 1...40 { lab.web.serve(Lab.url(number), .failure(.connectionRefused)) }
    }
    #expect((elsewhere + here).allSatisfy { $0.state == .failed })
    #expect(lab.web.requests(for: Lab.url(40)).isEmpty)
  }

  @Test("A target of another origin that breaks off continues the file")
  func brokenTarget() async throws {
    let lab = try Lab()
    var random = SeededGenerator(seed: 8)
    let content = random.bytes(100_000)
    let url = "http://h/f.bin"
    let answer = FakeAnswer.file(content).redirected(to: "http://elsewhere/f")
    lab.web.serve(url, answer.cut(after: 60_000), answer)
    lab.serveList([url])
    try await lab.run()
    try await lab.checkLibrary()
    let requests = lab.web.requests(for: url)
    #expect(requests.map(\.range) == [nil, "bytes=60000-"])
    #expect(requests.map(\.ifRange) == [nil, "\"v1\""])
    let resource = try #require(try await lab.allResources().first)
    #expect(try lab.bytes(resource, try #require(try await lab.records().first)) == content)
  }

  @Test("Two targets with the same tag and other content are not joined, nor after a restart")
  func otherTarget() async throws {
    var random = SeededGenerator(seed: 10)
    let (content, other) = (random.bytes(100_000), random.bytes(100_000))
    let url = "http://h/f.bin"
    let first = FakeAnswer.file(content).redirected(to: "http://elsewhere/f")
    let second = FakeAnswer.file(other).redirected(to: "http://mirror/f")
    // The answers to the second request and to the one after it; the content; whether the rest is requested only.
    for (next, delivered, count) in [
      (second, other, 3), (FakeAnswer.file(other), other, 3), (first, content, 2),
      (FakeAnswer.file(content).redirected(to: "http://elsewhere/f?signed=2"), content, 2),
      (FakeAnswer.file(other).redirected(to: "http://elsewhere/other"), other, 3),
    ] {
      for restarts in [false, true] {
        let lab = try Lab()
        if restarts { lab.settings.network.retries = 0 }
        lab.web.serve(url, first.cut(after: 60_000), next)
        lab.serveList([url])
        try await lab.run()
        var requests = lab.web.requests(for: url)
        if restarts {
          lab.newProcess()
          lab.web.serve(url, next)
          let engine = try await lab.started()
          _ = try await engine.retry(try #require(try await lab.records().first).id)
          try await engine.waitUntilIdle()
          await engine.stop()
          requests += lab.web.requests(for: url)
        }
        #expect(requests.map(\.range) == [nil, "bytes=60000-", nil].dropLast(3 - count))
        try await lab.checkLibrary()
        let resource = try #require(try await lab.allResources().first)
        let record = try #require(try await lab.records().first)
        #expect(try lab.bytes(resource, record) == delivered)
      }
    }
  }

  @Test(
    "A redirect within the origin to another file with the same tag does not continue the first",
    arguments: [nil, "http://h/first"])
  func otherFile(target: String?) async throws {
    let lab = try Lab()
    lab.settings.network.retries = 1
    var random = SeededGenerator(seed: 11)
    let (content, other) = (random.bytes(100_000), random.bytes(100_000))
    let url = "http://h/f.bin"
    let first = target.map { FakeAnswer.file(content).redirected(to: $0) } ?? .file(content)
    let next = FakeAnswer.file(other).redirected(to: "http://h/other")
    lab.web.serve(url, first.cut(after: 60_000), next)
    lab.serveList([url])
    try await lab.run()
    try await lab.checkLibrary()
    #expect(lab.web.requests(for: url).map(\.range) == [nil, "bytes=60000-", nil])
    let resource = try #require(try await lab.allResources().first)
    #expect(try lab.bytes(resource, try #require(try await lab.records().first)) == other)
  }

  @Test("A file whose version only a date identifies begins anew behind a redirect")
  func brokenTargetWithDate() async throws {
    let lab = try Lab()
    var random = SeededGenerator(seed: 9)
    let content = random.bytes(100_000)
    let url = "http://h/f.bin"
    let answer = FakeAnswer.file(content, tag: nil)
      .with("Last-Modified", "Tue, 01 Jul 2025 10:00:00 GMT")
      .with("Date", "Wed, 02 Jul 2025 10:00:00 GMT")
      .redirected(to: "http://elsewhere/f")
    lab.web.serve(url, answer.cut(after: 60_000), answer)
    lab.serveList([url])
    try await lab.run()
    try await lab.checkLibrary()
    #expect(lab.web.requests(for: url).count == 2)
    let resource = try #require(try await lab.allResources().first)
    #expect(try lab.bytes(resource, try #require(try await lab.records().first)) == content)
  }
}
