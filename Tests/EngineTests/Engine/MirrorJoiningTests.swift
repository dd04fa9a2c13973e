import Hashing
import LibraryAPI
import Models
import Persistence
import Testing
import TestSupport
import Transport
@testable import Engine

/// Servers with different content behind the URLs of one resource: no file is composed of the bytes of two.
@Suite("Mirrors with other content", .timeLimit(.minutes(60))) struct MirrorJoiningTests {
  private static let (first, second) = ("http://a/f.bin", "http://b/f.bin")
  private static let date = "Tue, 01 Jul 2025 10:00:00 GMT"

  private static let content: [UInt8] = {
    var random = SeededGenerator(seed: 5)
    return random.bytes(1 << 20)
  }()

  /// Content of the same length without an equal byte.
  private static let other = content.map { ~$0 }

  private func lab(_ lines: String..., connections: Int = 1) throws -> Lab {
    let lab = try Lab()
    lab.settings.network.retries = 2
    lab.settings.network.segments = connections
    lab.settings.network.segmentBytes = 64 << 10
    lab.settings.network.segmentSeconds = 0
    lab.web.serve(Lab.list, FakeAnswer(body: Array(lines.joined(separator: "\n").utf8)))
    return lab
  }

  private static func checksum(_ bytes: [UInt8]) -> String {
    " checksum=sha-256=\(SHA256Hasher.hash(of: bytes))"
  }

  private func expect(
    _ expected: [UInt8], in lab: Lab, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await lab.checkLibrary()
    let resource = try #require(try await lab.allResources().first)
    #expect(
      resource.state == .finished, "\(resource.reason ?? "")", sourceLocation: sourceLocation)
    let record = try #require(try await lab.records().first)
    let isExpected = try lab.bytes(resource, record) == expected
    #expect(isExpected, sourceLocation: sourceLocation)
    #expect(lab.incomingFiles.isEmpty, sourceLocation: sourceLocation)
  }

  private func isJoined(_ partial: PartialDownload?) -> Bool {
    partial.map { $0.url == nil && $0.validator == Validator() } ?? false
  }

  // MARK: - One server after another

  @Test("The own server does not continue bytes that a duplicate of its response has sent")
  func duplicate() async throws {
    let lab = try lab(Self.first)
    let described = FakeAnswer.file(Self.content, tag: "\"a\"")
      .with("Link", "<\(Self.second)>; rel=duplicate")
      .with("Digest", "SHA-256=" + Base64.encode(SHA256Hasher.hash(of: Self.content).bytes))
    lab.web.serve(
      Self.first, described.cut(after: 500_000), FakeAnswer(status: 503),
      .file(Self.content, tag: "\"a\""))
    let wrong = FakeAnswer.file(Self.other, tag: "\"b\"").withoutConditions()
    lab.web.serve(
      Self.second, wrong.cut(after: 600_000), wrong.cut(after: 600_000), FakeAnswer(status: 404))
    try await lab.run()
    try await expect(Self.content, in: lab)
  }

  @Test("Two URLs of one server are two resources, even with equal dates", arguments: [1, 4])
  func sameOrigin(connections: Int) async throws {
    let lab = try lab("http://h/v1.bin\thttp://h/v2.bin", connections: connections)
    func answer(_ bytes: [UInt8]) -> FakeAnswer {
      .file(bytes, tag: nil).with("Last-Modified", Self.date)
        .with("Date", "Wed, 02 Jul 2025 10:00:00 GMT")
    }
    lab.web.serve(
      "http://h/v1.bin", answer(Self.content).cut(after: 500_000), FakeAnswer(status: 404))
    lab.web.serve("http://h/v2.bin", answer(Self.other))
    try await lab.run()
    try await expect(Self.other, in: lab)
    #expect(lab.web.requests(for: "http://h/v2.bin").allSatisfy { $0.range == nil })
  }

  @Test("An equal strong tag of another server is no proof of equal content", arguments: [1, 4])
  func equalTag(connections: Int) async throws {
    let lab = try lab("\(Self.first)\t\(Self.second)", connections: connections)
    lab.web.serve(
      Self.first, .file(Self.content).cut(after: 500_000), FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Self.other))
    try await lab.run()
    try await expect(Self.other, in: lab)
  }

  @Test("A digest of the list permits joining, and detects wrong content", arguments: [1, 4])
  func wrongFirst(connections: Int) async throws {
    let lab = try lab(
      "\(Self.first)\t\(Self.second)", Self.checksum(Self.content), connections: connections)
    lab.web.serve(Self.first, .file(Self.other).cut(after: 500_000), FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Self.content, tag: "\"b\""))
    try await lab.run()
    try await expect(Self.content, in: lab)
    let second = lab.web.requests(for: Self.second)
    #expect(second.first?.range?.hasPrefix("bytes=") == true && second.first?.ifRange == nil)
    #expect(second.contains { $0.isPlain }, "The whole file is requested after that.")
  }

  @Test("With a digest, bytes of correct servers are joined", arguments: [1, 4])
  func rightJoining(connections: Int) async throws {
    let lab = try lab(
      "\(Self.first)\t\(Self.second)", Self.checksum(Self.content), connections: connections)
    lab.web.serve(Self.first, .file(Self.content).cut(after: 500_000), FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Self.content, tag: "\"b\""))
    try await lab.run()
    try await expect(Self.content, in: lab)
    #expect(lab.web.requests(for: Self.second).allSatisfy { $0.range != nil })
  }

  // MARK: - Restarts

  @Test(
    "The row lists several URLs before the first byte of the second one is received",
    arguments: [1, 4])
  func rowBeforeJoining(connections: Int) async throws {
    let lab = try lab(
      "\(Self.first)\t\(Self.second)", Self.checksum(Self.content), connections: connections)
    let gate = Gate()
    lab.web.serve(
      Self.first, .file(Self.content).cut(after: 500_000), FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Self.content, tag: "\"b\"").held(by: gate))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    let request = try #require(try await lab.disk.partials().first)
    // After a kill this row is left, also if more was appended to the file since.
    #expect(isJoined(try await lab.disk.partial(of: request)))
    gate.open()
    try await engine.waitUntilIdle()
    await engine.stop()
    try await expect(Self.content, in: lab)
  }

  @Test("After a restart the own URL does not continue a mirror's bytes", arguments: [1, 4])
  func restart(connections: Int) async throws {
    let lab = try lab("\(Self.first)\t\(Self.second)", connections: connections)
    let gate = Gate()
    lab.web.serve(Self.first, FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Self.other).held(by: gate, after: 40_000))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    await engine.stop()
    let request = try #require(try await lab.disk.partials().first)
    #expect(try await lab.disk.partial(of: request)?.url == Self.second)

    lab.newProcess()
    lab.web.serve(Self.first, .file(Self.content))
    let next = try await lab.started()
    try await next.waitUntilIdle()
    await next.stop()
    #expect(lab.web.requests.first?.range == nil)
    try await expect(Self.content, in: lab)
  }

  @Test("After a restart the mirror continues its own bytes")
  func mirrorAgain() async throws {
    let lab = try lab("\(Self.first)\t\(Self.second)")
    let gate = Gate()
    lab.web.serve(Self.first, FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Self.other).held(by: gate, after: 600_000))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    await engine.stop()

    lab.newProcess()
    lab.web.serve(Self.first, FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Self.other))
    let next = try await lab.started()
    try await next.waitUntilIdle()
    await next.stop()
    let last = try #require(lab.web.requests.last)
    #expect(last.url == Self.second && last.range != nil && last.ifRange == "\"v1\"")
    try await expect(Self.other, in: lab)
  }

  // MARK: - Web pages in place of the file

  private static let page = Array("<!DOCTYPE html><html><body>parked</body></html>".utf8)

  @Test("The page of a parked domain replaces no bytes, and the own URL continues them later")
  func parked() async throws {
    let lab = try lab("\(Self.first)\t\(Self.second)")
    lab.web.serve(
      Self.first, .file(Self.content, tag: "\"a\"").cut(after: 600_000), FakeAnswer(status: 404))
    lab.web.serve(Self.second, .file(Self.page, tag: nil, type: "text/html"))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    try await engine.waitUntilIdle()
    let failed = try #require(try await lab.allResources().first)
    #expect(failed.state == .failed)
    #expect(failed.reason?.contains("the server sent a web page") == true)
    #expect(lab.incomingFiles.count == 1)

    lab.web.forgetRequests()
    lab.web.serve(Self.first, .file(Self.content, tag: "\"a\""))
    _ = try await engine.retry(record)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(lab.web.requests.map(\.range) == ["bytes=600000-"])
    #expect(lab.web.requests.first?.ifRange == "\"a\"")
    try await expect(Self.content, in: lab)
  }

  @Test(
    "A web page of a mirror is not accepted as the file",
    arguments: ["text/html", "application/octet-stream"])
  func pageOfMirror(type: String) async throws {
    let lab = try lab("\(Self.first)\t\(Self.second)")
    lab.web.serve(Self.second, .file(Self.page, tag: nil, type: type))
    try await lab.run()
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .failed)
    #expect(resource.reason?.contains("the server sent a web page") == true)
  }

  @Test("With a digest, a page instead of a range replaces no bytes, either")
  func parkedWithDigest() async throws {
    let lab = try lab("\(Self.first)\t\(Self.second)", Self.checksum(Self.content))
    lab.web.serve(
      Self.first, .file(Self.content, tag: "\"a\"").cut(after: 600_000),
      FakeAnswer(status: 503), .file(Self.content, tag: "\"a\""))
    lab.web.serve(
      Self.second, .file(Self.page, tag: nil, type: "text/html").withoutRanges())
    try await lab.run()
    #expect(lab.web.requests.last?.range == "bytes=600000-")
    try await expect(Self.content, in: lab)
  }
}
