import HTTP1
import Hashing
import LibraryAPI
import Models
import Persistence
import Testing
import TestSupport
import Transport
@testable import Engine

/// Content whose response names a Metalink description of it (RFC 6249 §3).
@Suite(.timeLimit(.minutes(60))) struct DescribedMirrorTests {
  private static let (own, mirror) = ("http://a/f.bin", "http://b/f.bin")
  private static let description = "http://a/f.bin.meta4"

  private static let content: [UInt8] = {
    var random = SeededGenerator(seed: 6)
    return random.bytes(100_000)
  }()

  private func lab(_ lines: String...) throws -> Lab {
    let lab = try Lab()
    lab.settings.network.retries = 1
    let text = lines.isEmpty ? Self.own : lines.joined(separator: "\n")
    lab.web.serve(Lab.list, FakeAnswer(body: Array(text.utf8)))
    return lab
  }

  private static func checksum(_ bytes: [UInt8]) -> String {
    " checksum=sha-256=\(SHA256Hasher.hash(of: bytes))"
  }

  /// An answer that names the description.
  private static func linking(
    _ answer: FakeAnswer, _ target: String = "f.bin.meta4"
  ) -> FakeAnswer {
    answer.with("Link", "<\(target)>; rel=describedby; type=\"application/metalink4+xml\"")
  }

  /// The content's own URL breaks off, and is missing from then on.
  private static var broken: [FakeAnswer] {
    [linking(.file(content)).cut(after: 50_000), FakeAnswer(status: 404)]
  }

  private static func document(
    of bytes: [UInt8] = content, name: String = "f.bin", urls: [String] = [mirror]
  ) -> String {
    let list = urls.enumerated().map { "<url priority=\"\($0 + 1)\">\($1)</url>" }.joined()
    return """
      <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="\(name)">
      <size>\(bytes.count)</size><hash type="sha-256">\(SHA256Hasher.hash(of: bytes))</hash>
      \(list)</file></metalink>
      """
  }

  private static func answer(_ text: String) -> FakeAnswer {
    FakeAnswer(body: Array(text.utf8)).with("Content-Type", "application/metalink4+xml")
  }

  private func run(_ lab: Lab) async throws -> Resource {
    try await lab.run()
    try await lab.checkLibrary()
    return try #require(try await lab.allResources().first)
  }

  private func serveBroken(_ lab: Lab) {
    lab.web.serve(Self.own, Self.broken[0], Self.broken[1])
  }

  // MARK: - Success

  @Test("A mirror of the description delivers the content after its own URL has failed")
  func success() async throws {
    let lab = try lab()
    serveBroken(lab)
    lab.web.serve(Self.description, Self.answer(Self.document()))
    lab.web.serve(Self.mirror, .file(Self.content, tag: "\"other\""))
    let resource = try await run(lab)
    #expect(resource.state == .finished && resource.url == Self.own)
    #expect(resource.mirrors.isEmpty && resource.file?.answer == nil)
    #expect(lab.incomingFiles.isEmpty)
    #expect(try lab.bytes(resource, try #require(try await lab.records().first)) == Self.content)
    #expect(lab.web.requests(for: Self.description).count == 1)
    let named = lab.web.requests.filter { [Self.description, Self.mirror].contains($0.url) }
    #expect(named.allSatisfy { $0.addresses == .publicOnly && $0.isNamedByResponse })
    #expect(named.allSatisfy { $0.range == nil })
  }

  @Test("The description is requested after the mirrors of the list")
  func afterMirrors() async throws {
    let lab = try lab("\(Self.own)\thttp://c/f.bin")
    serveBroken(lab)
    lab.web.serve(Self.description, Self.answer(Self.document()))
    lab.web.serve(Self.mirror, .file(Self.content))
    #expect(try await run(lab).state == .finished)
    var hosts: [String] = []
    for request in lab.web.requests.dropFirst() where hosts.last != request.url {
      hosts.append(request.url)
    }
    #expect(hosts == [Self.own, "http://c/f.bin", Self.description, Self.mirror])
  }

  @Test("A file with another checksum than the list's leads to the description")
  func mismatch() async throws {
    let lab = try lab(Self.own, Self.checksum(Self.content))
    lab.web.serve(Self.own, Self.linking(.file(Self.content.reversed())))
    lab.web.serve(Self.description, Self.answer(Self.document()))
    lab.web.serve(Self.mirror, .file(Self.content))
    #expect(try await run(lab).state == .finished)
    #expect(
      lab.web.requests.dropFirst().map(\.url) == [Self.own, Self.description, Self.mirror])
  }

  @Test("Nothing is described that is downloaded")
  func unneeded() async throws {
    let lab = try lab("\(Self.own)\t\(Self.mirror)", "http://a/g.bin", Self.checksum(Self.content))
    lab.web.serve(
      Self.own, Self.linking(.file(Self.content)).cut(after: 50_000),
      FakeAnswer(status: 404))
    lab.web.serve(Self.mirror, .file(Self.content))
    lab.web.serve("http://a/g.bin", Self.linking(.file(Self.content)))
    lab.web.serve(Self.description, Self.answer(Self.document()))
    try await lab.run()
    #expect(try await lab.disk.totals().finished == 2)
    #expect(lab.web.requests(for: Self.description).isEmpty)
  }

  // MARK: - Descriptions that are of no use

  struct Useless: Sendable, CustomTestStringConvertible {
    let name: String
    let answer: FakeAnswer
    let reason: String
    /// The number of requests for the description; a failure that may pass is retried once.
    var requestCount = 1
    var testDescription: String { name }
  }

  @Test(
    "The reason names a description that is of no use, and only a failure that may pass is retried",
    arguments: [
      Useless(
        name: "absent", answer: FakeAnswer(status: 404),
        reason: "the Metalink description \(description): HTTP 404 Not Found"),
      Useless(
        name: "failing", answer: FakeAnswer(status: 503), reason: ": HTTP 503",
        requestCount: 2),
      Useless(
        name: "unreachable", answer: .failure(.connectionRefused), reason: "as written down",
        requestCount: 2),
      Useless(
        name: "too large",
        answer: answer(document() + String(repeating: " ", count: 1 << 20)),
        reason: "is larger than 1"),
      Useless(
        name: "no Metalink", answer: answer("<html><body>f</body></html>"),
        reason: "cannot be used"),
      Useless(name: "empty", answer: answer(""), reason: "cannot be used"),
      Useless(
        name: "not well-formed", answer: answer(String(document().dropLast(3))),
        reason: "not well-formed"),
      Useless(
        name: "another digest", answer: answer(document(of: [1])),
        reason: "states the SHA-256"),
      Useless(
        name: "two digests",
        answer: answer(
          document().replacing("</file>", with: "<hash type=\"sha-256\">0a</hash></file>")),
        reason: "the file \"f.bin\" states two different SHA-256 digests"),
      Useless(
        name: "only the own URL", answer: answer(document(urls: [own])),
        reason: "names no further URL"),
      Useless(
        name: "a mirror with another content", answer: answer(document(urls: ["http://c/x"])),
        reason: "the Metalink description states"),
    ])
  func useless(_ useless: Useless) async throws {
    let lab = try lab(Self.own, Self.checksum(Self.content))
    serveBroken(lab)
    lab.web.serve(Self.description, useless.answer)
    lab.web.serve("http://c/x", .file(Self.content.reversed()))
    let resource = try await run(lab)
    #expect(resource.state == .failed)
    let reason = resource.reason ?? ""
    #expect(reason.contains("HTTP 404 Not Found") && reason.contains(useless.reason), "\(reason)")
    #expect(lab.web.requests(for: Self.description).count == useless.requestCount)
  }

  @Test(
    "A throttled request for the description holds its host and is retried",
    arguments: [429, 503], ["30", nil])
  func throttled(status: Int, retryAfter: String?) async throws {
    let lab = try lab()
    serveBroken(lab)
    let refusal = FakeAnswer(status: status)
    lab.web.serve(
      Self.description, retryAfter.map { refusal.with("Retry-After", $0) } ?? refusal,
      Self.answer(Self.document()))
    lab.web.serve(Self.mirror, .file(Self.content))
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.allResources().map(\.state) == [.finished])
    #expect(lab.web.requests(for: Self.description).count == 2)
    let reason = ReasonPhrase.describe(status)
    try await events.until {
      guard case .hostWaits("http://a", let seconds, reason) = $0 else { return false }
      return retryAfter == nil || seconds == 30
    }
    try await events.until {
      guard case .retrying(_, _, let cause, let wait) = $0 else { return false }
      return cause == "the Metalink description \(Self.description): \(reason)"
        && (retryAfter == nil || wait == 30)
    }
  }

  @Test("Throttling by the target of a redirect holds that host, also if it is the content's own")
  func throttledBehindRedirect() async throws {
    let lab = try lab()
    let target = "http://c/f.meta4"
    lab.web.serve(
      Self.own, Self.linking(.file(Self.content), target).cut(after: 50_000),
      FakeAnswer(status: 404))
    lab.web.serve(
      target,
      FakeAnswer(status: 429).with("Retry-After", "30").redirected(to: "http://a/f.meta4"),
      Self.answer(Self.document()))
    lab.web.serve(Self.mirror, .file(Self.content))
    let engine = try await lab.started()
    let events = await EventRecorder(engine)
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.allResources().map(\.state) == [.finished])
    try await events.until {
      if case .hostWaits("http://a", 30, _) = $0 { true } else { false }
    }
  }

  @Test("A response that is larger than permitted is not described")
  func tooLarge() async throws {
    let lab = try lab()
    lab.settings.limits.resourceBytes = 1_000
    lab.web.serve(Self.own, Self.linking(.file(Self.content)))
    #expect(try await run(lab).state == .failed)
    #expect(lab.web.requests(for: Self.description).isEmpty)
  }

  @Test("A retry begins anew with the resource's own URL")
  func retry() async throws {
    let lab = try lab()
    serveBroken(lab)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    #expect(lab.web.requests(for: Self.description).count == 1)
    lab.web.forgetRequests()
    lab.web.serve(Self.own, .file(Self.content))
    _ = try await engine.retry(record)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests.allSatisfy { $0.url == Self.own })
    #expect(try await lab.allResources().map(\.state) == [.finished])
  }

  // MARK: - Credentials

  @Test(
    "The fields of the list go to a description of the own origin only",
    arguments: [(description, true), ("http://c/f.meta4", false)])
  func credentials(target: String, receivesFields: Bool) async throws {
    let lab = try lab(Self.own, " header=Authorization: Bearer s")
    lab.web.serve(
      Self.own, Self.linking(.file(Self.content), target).cut(after: 50_000),
      FakeAnswer(status: 404))
    lab.web.serve(target, Self.answer(Self.document()))
    lab.web.serve(Self.mirror, .file(Self.content))
    #expect(try await run(lab).state == .finished)
    let sent = lab.web.requests(for: target).map { $0.fields["Authorization"] }
    #expect(sent == [receivesFields ? "Bearer s" : nil])
    #expect(lab.web.requests(for: Self.mirror).allSatisfy { $0.fields["Authorization"] == nil })
  }

  @Test("The fields of the settings go to no mirror on another origin")
  func settingFields() async throws {
    let lab = try lab()
    lab.settings.network.headers = ["Authorization: Bearer s", "Cookie: c=1"]
    lab.settings.network.credentialHosts = ["*"]
    serveBroken(lab)
    lab.web.serve(Self.description, Self.answer(Self.document()))
    lab.web.serve(Self.mirror, .file(Self.content))
    #expect(try await run(lab).state == .finished)
    #expect(lab.web.requests(for: Self.own).allSatisfy { $0.fields["Cookie"] == "c=1" })
    let sent = lab.web.requests(for: Self.mirror).map(\.fields)
    #expect(!sent.isEmpty && sent.allSatisfy { $0 == HTTPFields() })
  }

  @Test("A description with a content coding is decoded", arguments: ["gzip", "utf-8", "compress"])
  func coding(coding: String) async throws {
    let lab = try lab()
    serveBroken(lab)
    let document = Array(Self.document().utf8)
    let body = coding == "gzip" ? GzipMember.of(document) : document
    lab.web.serve(Self.description, FakeAnswer(body: body).with("Content-Encoding", coding))
    lab.web.serve(Self.mirror, .file(Self.content))
    let resource = try await run(lab)
    #expect(resource.state == (coding == "compress" ? .failed : .finished))
    if coding == "compress" { #expect(resource.reason?.contains("encoded with compress") == true) }
  }

  // MARK: - Cancellation

  /// An engine that has requested the description, which is held back.
  private func waiting(_ lab: Lab, _ gate: Gate) async throws -> (Engine, RecordID) {
    serveBroken(lab)
    lab.web.serve(
      Self.description, Self.answer(Self.document()).held(by: gate),
      Self.answer(Self.document()))
    lab.web.serve(Self.mirror, .file(Self.content))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await gate.untilWaiting()
    return (engine, record)
  }

  @Test("A pause of the library cancels the request for the description, which is repeated")
  func pause() async throws {
    let (lab, gate) = (try lab(), Gate())
    let (engine, _) = try await waiting(lab, gate)
    try await engine.pause(nil)
    #expect(lab.web.activity.value.active == 0)
    try await engine.resume(nil)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.allResources().map(\.state) == [.finished])
    #expect(lab.web.requests(for: Self.description).count == 2)
    try await lab.checkLibrary()
  }

  @Test("After a pause of the record the resource begins anew with its own URL")
  func recordPause() async throws {
    let (lab, gate) = (try lab(), Gate())
    let (engine, record) = try await waiting(lab, gate)
    try await engine.pause(record)
    #expect(lab.web.activity.value.active == 0)
    lab.web.serve(Self.own, .file(Self.content))
    try await engine.resume(record)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.allResources().map(\.state) == [.finished])
    #expect(lab.web.requests(for: Self.own).last?.range == "bytes=50000-")
    try await lab.checkLibrary()
  }

  @Test("A removal and a reset cancel the request for the description", arguments: [false, true])
  func removal(resets: Bool) async throws {
    let (lab, gate) = (try lab(), Gate())
    let (engine, record) = try await waiting(lab, gate)
    if resets { try await engine.reset() } else { try await engine.remove(record) }
    #expect(lab.web.activity.value.active == 0)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests(for: Self.mirror).isEmpty)
    #expect(try await lab.records().isEmpty && lab.incomingFiles.isEmpty)
  }

  @Test("The end of the engine cancels the request, and the next run begins with the own URL")
  func stop() async throws {
    let (lab, gate) = (try lab(), Gate())
    let (engine, _) = try await waiting(lab, gate)
    await engine.stop()
    #expect(try await lab.allResources().map(\.state) == [.queued])
    lab.newProcess()
    lab.web.serve(Self.own, .file(Self.content))
    let next = try await lab.started()
    try await next.waitUntilIdle()
    await next.stop()
    #expect(lab.web.requests.map(\.url).filter { $0 != Self.own }.isEmpty)
    #expect(try await lab.allResources().map(\.state) == [.finished])
    try await lab.checkLibrary()
  }
}
