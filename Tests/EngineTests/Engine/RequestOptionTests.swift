import LibraryAPI
import Models
import Persistence
import Testing
import TestSupport
import Transport

@testable import Engine

/// The options that users give with a request, and not with the engine.
@Suite(.timeLimit(.minutes(60))) struct RequestOptionTests {
  private static let page = "http://i/list.txt"
  private static let cookies = "h\tFALSE\t/\tFALSE\t0\tsid\t7\n"

  private func options(
    headers: [String] = [], cookies: String? = nil, agent: String? = nil
  ) throws -> RequestOptions {
    var options = RequestOptions()
    if !headers.isEmpty { try options.set("network.headers", to: .list(headers)) }
    if let agent { try options.set("network.userAgent", to: .text(agent)) }
    options.cookies = cookies
    return options
  }

  private func request(_ url: String, _ options: RequestOptions) throws -> SourceRequest {
    var request = try Lab.request(url)
    request.options = options
    return request
  }

  private func sent(_ lab: Lab, _ url: String, _ name: String) -> [String?] {
    lab.web.requests(for: url).map { $0.fields[name] }
  }

  /// Gives a picture to requests with the field only.
  private func guardPicture(_ lab: Lab, _ url: String, _ name: String, _ value: String) {
    lab.web.serve(url) { request in
      request.fields[name] == value ? .file(Lab.image(1)) : FakeAnswer(status: 403)
    }
  }

  @Test("The options of an add are those of its requests, and not of another source's")
  func ownSource() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1)])
    lab.serveList([Lab.url(2, host: "i")], at: Self.page)
    let engine = try await lab.started()
    let own = try options(headers: ["Authorization: Bearer s"], agent: "mine/1")
    _ = try await engine.add(request(Lab.list, own))
    _ = try await engine.add(request(Self.page, RequestOptions()))
    try await engine.waitUntilIdle()
    for url in [Lab.list, Lab.url(1)] {
      #expect(sent(lab, url, "Authorization") == ["Bearer s"], "\(url)")
      #expect(sent(lab, url, "User-Agent") == ["mine/1"], "\(url)")
    }
    for url in [Self.page, Lab.url(2, host: "i")] {
      #expect(sent(lab, url, "Authorization") == [nil], "\(url)")
      #expect(sent(lab, url, "User-Agent") == [nil], "\(url)")
    }
    await engine.stop()
  }

  @Test("A request with other fields shares neither a transfer nor an answer with one without")
  func sharing() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1)])
    lab.serveList([Lab.url(1)], at: Self.page)
    let engine = try await lab.started()
    _ = try await engine.add(request(Lab.list, try options(cookies: Self.cookies)))
    _ = try await engine.add(request(Self.page, RequestOptions()))
    try await engine.waitUntilIdle()
    #expect(lab.web.requests(for: Lab.url(1)).count == 2)
    await engine.stop()
  }

  @Test("A retry with other fields tries what failed again with them")
  func retrying() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1)])
    guardPicture(lab, Lab.url(1), "Referer", "http://me/")
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    let record = try #require(try await lab.records().first)
    #expect(record.counts.failed == 1)
    try await engine.setOptions(options(headers: ["Referer: http://me/"]), of: record.id)
    #expect(try await engine.retry(record.id) == 1)
    try await engine.waitUntilIdle()
    #expect(try await lab.records().first?.counts.finished == 1)
    await engine.stop()
  }

  @Test("Adding a source again with other cookies or fields tries what failed again")
  func addingAgain() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1)])
    guardPicture(lab, Lab.url(1), "X-Key", "open")
    let engine = try await lab.started()
    let wrong = try options(headers: ["X-Key: shut"])
    _ = try await engine.add(request(Lab.list, wrong))
    try await engine.waitUntilIdle()
    #expect(try await engine.add(request(Lab.list, wrong)).outcome == .onlyFailuresRemain)
    let right = try await engine.add(request(Lab.list, options(headers: ["X-Key: open"])))
    #expect(right.outcome == .continued)
    try await engine.waitUntilIdle()
    #expect(try await lab.records().map(\.counts.finished) == [1])
    await engine.stop()
  }

  @Test("A later run has the fields of the add without credentials, and names what it lacks")
  func laterRun() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1)])
    guardPicture(lab, Lab.url(1), "X-Key", "open")
    let first = try await lab.started()
    let given = try options(
      headers: ["X-Key: open", "Accept-Language: de"], cookies: Self.cookies)
    _ = try await first.add(request(Lab.list, given))
    try await first.waitUntilIdle()
    await first.stop()
    let record = try #require(try await lab.records().first)
    let stored = try #require(try await lab.disk.source(record.source)?.draft.options)
    #expect(!stored.contains("open") && !stored.contains("sid"), "\(stored)")
    #expect(stored.contains("Accept-Language: de"))

    lab.newProcess()
    lab.serveList([Lab.url(1)])
    guardPicture(lab, Lab.url(1), "X-Key", "open")
    let second = try await lab.started()
    try await second.reload(record.id)
    try await second.waitUntilIdle()
    #expect(sent(lab, Lab.url(1), "Accept-Language") == ["de"])
    #expect(sent(lab, Lab.url(1), "X-Key") == [nil])
    let reason = try #require(try await lab.allResources().first?.reason)
    #expect(reason.contains("--load-cookies, X-Key, which imgdl does not store"), "\(reason)")
    lab.web.serve(Lab.list, FakeAnswer(status: 401))
    await #expect {
      try await second.refresh(record.id)
    } throws: {
      ($0 as? LibraryError)?.detail.contains("X-Key, which imgdl does not store") ?? false
    }
    await second.stop()
  }

  @Test("An option of the whole engine is refused by name unless the engine has its value")
  func wholeEngine() async throws {
    let lab = try Lab()
    lab.serveImages(1...1)
    let engine = try await lab.started()
    var slow = RequestOptions()
    slow.expectations = [.init("network.limitRate", .integer(512_000), option: "--limit-rate")]
    let refused = try request(Lab.list, slow)
    await #expect {
      _ = try await engine.add(refused)
    } throws: {
      let error = $0 as? LibraryError
      return error?.code == .policy && error?.detail.hasPrefix("--limit-rate applies") ?? false
    }
    await #expect(throws: LibraryError.self) { try await engine.setOptions(slow, of: nil) }
    #expect(try await lab.records().isEmpty)
    slow.expectations = [.init("network.limitRate", .integer(0), option: "--limit-rate")]
    _ = try await engine.add(request(Lab.list, slow))
    try await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test(
    "A single download has the options of its caller, and another caller's answer is another one")
  func single() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let url = try HTTPURL(Lab.url(1))
    _ = try await engine.resource(at: url, .cached, options(headers: ["X-Key: open"]))
    _ = try await engine.resource(at: url, .cached)
    _ = try await engine.resource(at: url, .cached, options(headers: ["X-Key: open"]))
    #expect(sent(lab, Lab.url(1), "X-Key") == ["open", nil])
    await engine.stop()
  }

  @Test(
    "Options replace those of an earlier request only where they differ, and are stored as text")
  func merging() throws {
    var earlier = try options(headers: ["A: 1", "Accept-Language: de"], cookies: Self.cookies)
    try earlier.set("network.idleTimeout", to: .text("1.5"))
    let merged = try options(headers: ["a: 2"], agent: "u=1").over(earlier)
    #expect(merged.values["network.headers"] == .list(["Accept-Language: de", "a: 2"]))
    #expect(merged.cookies == Self.cookies)
    let terms = try OptionTerms(merged, over: Settings())
    #expect(terms.defaults.limits.idleTimeout == 1.5)
    #expect(terms.defaults.user.all["User-Agent"] == "u=1")
    let stored = StoredOptions(terms)
    #expect(StoredOptions(text: stored.text) == stored)
    #expect(stored.unstored == ["--load-cookies", "a"])
    #expect(try OptionTerms(RequestOptions(), over: Settings()).identity == "")
  }
}
