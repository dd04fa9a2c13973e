import LibraryAPI
import Models
import Robots
import Synchronization
import SystemCalls
import TestSupport
import Testing
import Threading
import Transport

@testable import Engine

/// Requests for robots.txt, and what their answers permit.
@Suite(.timeLimit(.minutes(60))) struct RobotsPolicyTests {
  private let web = FakeTransport()
  private let clock = ManualClock(turnsByItself: true)

  private static let file = "http://h/robots.txt"

  private func policy(
    cachedBytes: Int = 1 << 20, _ change: (inout Settings) -> Void = { _ in }
  ) -> RobotsPolicy {
    var settings = Settings()
    change(&settings)
    return RobotsPolicy(
      Download.Context(
        layout: LibraryLayout(root: "/nowhere"), settings: settings, transport: web,
        files: BlockingQueue("robots"), bootID: ""),
      clock: clock, maximumCachedBytes: cachedBytes)
  }

  private func serve(_ text: String) { web.serve(Self.file, text.answer) }

  private func isAllowed(
    _ policy: RobotsPolicy, _ url: String, _ origin: RequestOrigin = .publicPage
  ) async throws -> Bool {
    try await policy.isAllowed(try HTTPURL(url), namedBy: origin)
  }

  @Test("The file of an origin is requested once, and decides about all of its URLs")
  func caching() async throws {
    serve("User-agent: *\nDisallow: /a\nCrawl-delay: 2")
    let policy = policy()
    #expect(try await !isAllowed(policy, "http://h/a/b"))
    #expect(try await isAllowed(policy, "http://h/b"))
    #expect(try await policy.crawlDelay(for: HTTPURL("http://h/"), namedBy: .publicPage) == 2)
    #expect(
      try await policy.verdict(for: HTTPURL("http://h/a?b"), namedBy: .publicPage)
        == .disallowed("the robots.txt of http://h disallows /a?b"))
    #expect(web.requests.map(\.url) == [Self.file])
    #expect(try await isAllowed(policy, "http://h:81/a"))
    #expect(try await isAllowed(policy, "https://h/a"))
    #expect(
      web.requests.map(\.url) == [
        Self.file, "http://h:81/robots.txt", "https://h/robots.txt",
      ])
  }

  @Test("Requests to a site are as far apart as it wants, and those to other sites are not delayed")
  func turns() async throws {
    serve("User-agent: *\nDisallow: /a\nCrawl-delay: 5")
    web.serve("http://other/robots.txt", "User-agent: *\nAllow: /".answer)
    let policy = policy()
    for (url, expected) in [
      ("http://h/1", 0.0), ("http://h/2", 5), ("http://other/1", 5), ("http://h/a", 5),
      ("http://h/3", 10),
    ] {
      _ = try await policy.admit(HTTPURL(url), namedBy: .publicPage)
      #expect(clock.now() == expected, "\(url)")
    }
    clock.advance(by: 60)
    _ = try await policy.admit(HTTPURL("http://h/4"), namedBy: .publicPage)
    #expect(clock.now() == 70)
  }

  @Test("A wait for a site is reported before it begins, with the site and the remaining time")
  func reportedWaits() async throws {
    serve("User-agent: *\nCrawl-delay: 5")
    let waits = Mutex<[String]>([])
    let admission = DocumentAdmission(
      robots: policy(), origin: .publicPage, sourceOrigin: nil
    ) { site, seconds, reason in
      waits.withLock { $0.append("\(site) \(seconds) \(reason)") }
    }
    for number in 1...3 { try await admission.admit(try HTTPURL("http://h/\(number)")) }
    let wait = "http://h 5.0 its robots.txt wants a time between requests (network.obeyRobots)"
    #expect(waits.withLock { $0 } == [wait, wait])
  }

  @Test("Callers at the same time share one request")
  func coalescing() async throws {
    let gate = Gate()
    web.serve(Self.file, "User-agent: *\nDisallow: /a".answer.held(by: gate))
    let policy = policy()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<50 {
        group.addTask {
          try await isAllowed(policy, number.isMultiple(of: 2) ? "http://h/a" : "http://h/b")
        }
      }
      try await gate.untilWaiting()
      gate.open()
      #expect(try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 } == 25)
    }
    #expect(web.requests.count == 1)
  }

  @Test("A caller that is cancelled leaves the request to the others; the last one ends it")
  func cancelling() async throws {
    let gate = Gate()
    web.serve(Self.file, "User-agent: *\nDisallow: /a".answer.held(by: gate))
    let policy = policy()
    let first = Task { try await isAllowed(policy, "http://h/a") }
    try await gate.untilWaiting()
    let second = Task { try await isAllowed(policy, "http://h/a") }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    #expect(try await second.value == false)

    gate.close()
    web.serve("http://i/robots.txt", "".answer.held(by: gate))
    let third = Task { try await isAllowed(policy, "http://i/") }
    try await gate.untilWaiting()
    third.cancel()
    await #expect(throws: CancellationError.self) { try await third.value }
    try await web.activity.until { $0.active == 0 }
    gate.open()
    #expect(try await isAllowed(policy, "http://i/"))
    #expect(web.requests(for: "http://i/robots.txt").count == 2)
  }

  @Test("A site without the file allows everything, and one whose file cannot be read nothing")
  func access() async throws {
    for (answer, requestCount, sentence) in [
      (FakeAnswer(status: 404), 1, nil), (FakeAnswer(status: 403), 1, nil),
      (.failure(.tooManyRedirects), 1, nil), (FakeAnswer(status: 503), 5, "HTTP 503"),
      (.failure(.connectionRefused), 1, "connectionRefused"), (.failure(.dns), 1, "dns"),
      (.failure(.connectionLost), 5, "connectionLost"), (.failure(.tls), 1, "tls"),
      (.failure(.badRedirect), 1, nil), (.failure(.addressRefused), 1, "addressRefused"),
      ("Disallow".answer.with("Content-Encoding", "compress"), 1, "compress"),
      ("Disallow".answer.with("Content-Encoding", "gzip"), 1, "damaged"),
      (
        FakeAnswer(body: Array(GzipMember.of([1]).dropLast())).with("Content-Encoding", "gzip"), 1,
        "cut off"
      ),
    ] as [(FakeAnswer, Int, String?)] {
      web.serve(Self.file, answer)
      web.forgetRequests()
      let verdict = try await policy().verdict(for: HTTPURL("http://h/"), namedBy: .publicPage)
      #expect(web.requests.count == requestCount)
      guard let sentence else {
        #expect(verdict == .allowed)
        continue
      }
      guard case .disallowed(let words) = verdict else {
        Issue.record("\(sentence): allowed")
        continue
      }
      #expect(
        words.contains("the robots.txt of http://h cannot be read") && words.contains(sentence))
    }
  }

  @Test("A failure that passes is retried")
  func retrying() async throws {
    web.serve(
      Self.file, .failure(.connectionLost), FakeAnswer(status: 500),
      "User-agent: *\nDisallow: /a".answer)
    let policy = policy()
    #expect(try await !isAllowed(policy, "http://h/a"))
    #expect(try await isAllowed(policy, "http://h/b"))
    #expect(web.requests.count == 3)
  }

  @Test(
    "A server that does not answer in time is asked once",
    arguments: [TransportError.Code.idleTimeout, .connectTimeout, .totalTimeout])
  func deadServer(_ code: TransportError.Code) async throws {
    web.serve(Self.file, .failure(code))
    #expect(try await !isAllowed(policy(), "http://h/a"))
    #expect(web.requests.count == 1)
  }

  @Test("Rules are requested again after a day, and stay while the file is unreachable")
  func expiry() async throws {
    web.serve(
      Self.file, "User-agent: *\nDisallow: /a".answer, FakeAnswer(status: 404),
      "User-agent: *\nDisallow: /b".answer.with("Cache-Control", "max-age=600"),
      .failure(.dns), .failure(.dns))
    let policy = policy()
    #expect(try await !isAllowed(policy, "http://h/a"))
    clock.advance(by: 86_399)
    #expect(try await !isAllowed(policy, "http://h/a"))
    clock.advance(by: 1)
    #expect(try await isAllowed(policy, "http://h/a"))
    clock.advance(by: 86_400)
    #expect(try await !isAllowed(policy, "http://h/b"))
    clock.advance(by: 600)
    #expect(try await !isAllowed(policy, "http://h/b"))
    #expect(web.requests.count == 4)
    clock.advance(by: 299)
    #expect(try await !isAllowed(policy, "http://h/b"))
    #expect(web.requests.count == 4)
  }

  @Test("The address policy is that of the page, and its answers are its own")
  func addresses() async throws {
    web.serve(Self.file, FakeAnswer(status: 404), "User-agent: *\nDisallow: /".answer)
    let policy = policy()
    #expect(try await isAllowed(policy, "http://h/", .publicPage))
    #expect(try await !isAllowed(policy, "http://h/", .sourceOfUser))
    #expect(try await isAllowed(policy, "http://h/", .publicPage))
    #expect(web.requests.map(\.addresses) == [.publicOnly, .noPublicToPrivate])
  }

  @Test("The file of a site that a redirect names gets no fields of the user, and is not signed")
  func redirectTargets() async throws {
    web.serve("http://i/robots.txt", "User-agent: *\nDisallow: /a".answer)
    let policy = policy { $0.network.headers = ["Authorization: Bearer s", "Cookie: c=1"] }
    let (document, target) = (try HTTPURL("http://h/"), try HTTPURL("http://i/a"))
    let admission = DocumentAdmission(
      robots: policy, origin: .privateList, sourceOrigin: document.origin)
    try await admission.admit(document)
    try await admission.admit(try HTTPURL("http://h/b"), redirectedFrom: document)
    await #expect(throws: DocumentRefusal.self) {
      try await admission.admit(target, redirectedFrom: document)
    }
    #expect(web.requests.map(\.url) == [Self.file, "http://i/robots.txt"])
    #expect(web.requests.map { $0.fields["Authorization"] } == ["Bearer s", nil])
    #expect(web.requests[1].fields["Cookie"] == nil)
    #expect(web.requests.map(\.isNamedByResponse) == [false, true])
  }

  @Test(
    "The file of another site than the source's gets no fields of the user but the name of the crawler"
  )
  func otherSites() async throws {
    web.serve("http://i/robots.txt", "User-agent: *\nDisallow: /a".answer)
    let policy = policy {
      $0.network.headers = ["Authorization: Bearer s", "Cookie: c=1", "X: y", "User-Agent: U/1"]
    }
    let (document, target) = (try HTTPURL("http://h/"), try HTTPURL("http://i/a"))
    let admission = DocumentAdmission(
      robots: policy, origin: .privateList, sourceOrigin: document.origin)
    try await admission.admit(document)
    await #expect(throws: DocumentRefusal.self) { try await admission.admit(target) }
    #expect(web.requests.map(\.url) == [Self.file, "http://i/robots.txt"])
    for (name, values) in [
      ("Authorization", ["Bearer s", nil]), ("Cookie", ["c=1", nil]), ("X", ["y", nil]),
      ("User-Agent", ["U/1", "U/1"]),
    ] { #expect(web.requests.map { $0.fields[name] } == values, "\(name)") }
    // The credentials that the settings assign to the host are still its own.
    #expect(web.requests.map(\.isNamedByResponse) == [false, false])
    // A source from a file has no origin.
    let local = DocumentAdmission(robots: policy, origin: .privateList, sourceOrigin: nil)
    await #expect(throws: DocumentRefusal.self) { try await local.admit(target) }
    #expect(web.requests.allSatisfy { $0.url == Self.file || $0.fields["Authorization"] == nil })
  }

  @Test("The crawler is named by the User-Agent that is sent")
  func names() async throws {
    serve(
      "User-agent: *\nDisallow: /\nUser-agent: imgdl\nDisallow:\nUser-agent: other\nDisallow: /o")
    #expect(try await isAllowed(policy(), "http://h/"))
    let renamed = policy { $0.network.userAgent = "Other/2 (x)" }
    #expect(try await isAllowed(renamed, "http://h/x"))
    #expect(try await !isAllowed(renamed, "http://h/o"))
    #expect(
      try await !isAllowed(policy { $0.network.headers = ["User-Agent: Mozilla/5.0"] }, "http://h/")
    )
    #expect(web.requests.last?.fields["User-Agent"] == "Mozilla/5.0")
  }

  @Test("Only the beginning of a long file is received, and coded files are decoded")
  func bodies() async throws {
    let rules = "User-agent: *\nDisallow: /a\n"
    let padding = String(repeating: "#\n", count: 1 << 20)
    for (text, coding) in [(rules + padding, nil), (rules + padding, "gzip"), (rules, "gzip")] {
      var answer = text.answer
      if let coding {
        answer.body = GzipMember.of(answer.body)
        answer = answer.with("Content-Encoding", coding)
      }
      web.serve(Self.file, answer)
      let policy = policy()
      #expect(try await !isAllowed(policy, "http://h/a"))
      #expect(try await isAllowed(policy, "http://h/b"))
    }
    #expect(web.requests.allSatisfy { $0.acceptEncoding == "identity" })
  }

  @Test("Nothing is requested if the setting is off")
  func switchedOff() async throws {
    serve("User-agent: *\nDisallow: /\nCrawl-delay: 5")
    let policy = policy { $0.network.obeyRobots = false }
    #expect(try await isAllowed(policy, "http://h/"))
    #expect(try await policy.crawlDelay(for: HTTPURL("http://h/"), namedBy: .caller) == nil)
    #expect(web.requests.isEmpty)
    var settings = Settings()
    #expect(settings.network.obeyRobots)
    try SettingsSchema.set("network.obeyRobots", to: .text("no"), in: &settings)
    #expect(!settings.network.obeyRobots)
  }

  @Test("A transport that is shut down cancels")
  func shutdown() async throws {
    await web.shutdown()
    let policy = policy()
    await #expect(throws: CancellationError.self) { try await isAllowed(policy, "http://h/") }
  }

  @Test("The cached rules are bounded")
  func eviction() async throws {
    let file = "User-agent: *\n" + (0..<100).map { "Allow:/\($0)\n" }.joined()
    // Room for the rules of two files.
    let policy = policy(cachedBytes: 15_000)
    for host in ["a", "b", "c", "d", "c", "a"] {
      web.serve("http://\(host)/robots.txt", file.answer)
      #expect(try await isAllowed(policy, "http://\(host)/"))
      clock.advance(by: 1)
    }
    #expect(
      web.requests.compactMap { $0.url.split(separator: "/").dropFirst().first } == [
        "a", "b", "c", "d", "a",
      ])
  }
}

extension String {
  fileprivate var answer: FakeAnswer { FakeAnswer(body: Array(utf8)) }
}
