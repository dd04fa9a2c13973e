import Hashing
import Models
import Persistence
import TestSupport
import Testing
import Transport

@testable import Engine

/// A file of which several connections have received parts, and which another server continues: it becomes the
/// file of one of the servers or begins anew, and is never a mixture of both.
@Suite("A partial file with gaps, on a mirror", .timeLimit(.minutes(60)))
struct SegmentedMirrorTests {
  static let mirror = "http://m/a.png"
  /// A file of the same size that differs in every byte.
  static let other = Attempt.content.map { ~$0 }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The tag of the mirror; that of the first server is "v1".
    var tag: String? = "\"v1\""
    var hasDigest = false
    var content = Attempt.content
    /// The mirror's first answers, before its usual one.
    var answers: [FakeAnswer] = []
    var connections = 3
  }

  static let cases = [
    Case(testDescription: "the same tag and the same content"),
    Case(
      testDescription: "the same tag, the same content, one connection",
      connections: 0),
    Case(testDescription: "the same tag and a digest", hasDigest: true),
    Case(
      testDescription: "the same tag and other content, which the digest shows", hasDigest: true,
      content: other),
    Case(
      testDescription: "another tag and the same content, which the digest shows",
      tag: "\"v2\"", hasDigest: true),
    Case(
      testDescription: "another tag and other content, which the digest shows", tag: "\"v2\"",
      hasDigest: true, content: other),
    Case(
      testDescription: "another tag and other content on one connection", tag: "\"v2\"",
      hasDigest: true, content: other, connections: 0),
    Case(testDescription: "no tag, and a digest", tag: nil, hasDigest: true),
    Case(
      testDescription: "no tag, a digest and other content", tag: nil, hasDigest: true,
      content: other),
    Case(
      testDescription: "another tag, other content and no digest", tag: "\"v2\"", content: other),
    Case(
      testDescription: "a weak tag, other content and no digest", tag: "W/\"v1\"", content: other),
    Case(
      testDescription: "no tag, other content and no digest", tag: nil, content: other),
    Case(
      testDescription: "a mirror without ranges", tag: "\"v2\"", hasDigest: true, content: other,
      answers: [FakeAnswer.file(other, tag: "\"v2\"").withoutRanges()]),
    Case(
      testDescription: "a mirror whose file changes meanwhile", tag: "\"v2\"", hasDigest: true,
      content: other,
      answers: [.ranged(Attempt.content, tag: "\"v1\""), .ranged(other, tag: "\"v1\"")]),
  ]

  /// Runs until every connection to the first server is lost, with parts beyond the prefix received.
  private func interrupted(_ attempt: inout Attempt) async throws {
    let gate = Gate()
    let answer = FakeAnswer.ranged(Attempt.content)
    attempt.transport.serve(
      attempt.url, answer.held(by: gate, after: 40_000).cut(after: 60_000), answer, answer, answer,
      answer.cut(after: 30_000))
    let (run, transport) = (attempt, attempt.transport)
    async let result = run.runFailing()
    try await transport.activity.until { $0.ended >= 6 }
    gate.open()
    let left: PartialDownload = try #require(try await result.1)
    attempt.partial = left
    transport.forgetRequests()
  }

  private func withMirror(_ attempt: Attempt) throws -> Attempt {
    var attempt = attempt
    var selection = MirrorSelection(.init(try HTTPURL(attempt.url)))
    selection.add([.init(try HTTPURL(Self.mirror))])
    _ = selection.handle(
      .init(.final, cause: "gone"), now: 0,
      policy: RetryPolicy(retries: 0, delay: 0, ceiling: 0), chance: 0)
    #expect(selection.isOnMirror)
    attempt.mirrors = selection
    return attempt
  }

  @Test("The file is that of the mirror, or of both", arguments: cases)
  func continuing(_ example: Case) async throws {
    var attempt = try Attempt.segmented()
    if example.hasDigest {
      attempt.expectedChecksum = Checksum(SHA256Hasher.hash(of: Attempt.content))
    }
    try await interrupted(&attempt)
    attempt.told.allowedConnections.update { $0 = example.connections }
    let usual = FakeAnswer.ranged(example.content, tag: "\"v1\"").with("ETag", example.tag)
    switch example.answers.count {
    case 0: attempt.transport.serve(Self.mirror, usual)
    case 1: attempt.transport.serve(Self.mirror, example.answers[0], usual)
    default: attempt.transport.serve(Self.mirror, example.answers[0], example.answers[1], usual)
    }
    let next = try withMirror(attempt)
    guard case .complete(let file) = await next.run() else {
      Issue.record("no file")
      return
    }
    let bytes = try #require(attempt.bytes)
    #expect(bytes == example.content, "one of the two contents, whole")
    #expect(file.digest == SHA256Hasher.hash(of: bytes) && file.byteCount == Int64(bytes.count))
    let first = try #require(attempt.transport.requests.first)
    #expect(attempt.transport.requests.allSatisfy { $0.url == Self.mirror })
    // The tag is that of another URL, so that only a digest permits to continue.
    #expect((first.range != nil) == example.hasDigest)
    #expect(first.ifRange == nil)
  }

  @Test("Without a strong tag and without a digest, the file begins anew")
  func neither() async throws {
    var attempt = try Attempt.segmented()
    try await interrupted(&attempt)
    let left = try #require(attempt.partial)
    let date = "Tue, 01 Jul 2025 10:00:00 GMT"
    for validator in [
      Validator(lastModified: date), Validator(entityTag: EntityTag("W/\"v1\"")), Validator(),
    ] {
      var next = try withMirror(attempt)
      next.partial = PartialDownload(
        validator: validator, totalBytes: left.totalBytes, bootID: left.bootID,
        syncedBytes: left.syncedBytes)
      next.transport.forgetRequests()
      next.transport.serve(
        Self.mirror, FakeAnswer.ranged(Self.other, tag: "\"v1\"").with("Last-Modified", date))
      guard case .complete = await next.run() else {
        Issue.record("no file")
        return
      }
      #expect(next.bytes == Self.other)
      #expect(next.transport.requests.first?.range == nil)
    }
  }

  @Test(
    "What a digest allowed to mix is never continued without the digest",
    arguments: [true, false], [0, 3])
  func digestIsForgotten(isSegmented: Bool, connections: Int) async throws {
    var attempt = try isSegmented ? Attempt.segmented() : Attempt()
    if isSegmented {
      try await interrupted(&attempt)
    } else {
      try attempt.leave(40_000)
    }
    attempt.told.allowedConnections.update { $0 = connections }
    attempt.expectedChecksum = Checksum(SHA256Hasher.hash(of: Attempt.content))
    // The mirror, which has another version, breaks off as well.
    attempt.transport.serve(
      Self.mirror, FakeAnswer.ranged(Self.other, tag: "\"v2\"").cut(after: 33_000))
    let (_, left) = try await withMirror(attempt).runFailing()
    let mixed = try #require(attempt.bytes)
    #expect(mixed.prefix(30_000) == Attempt.content.prefix(30_000))
    #expect(zip(mixed, Self.other).contains { $0 == $1 }, "the file is a mixture")
    attempt.expectedChecksum = nil
    attempt.partial = left
    attempt.told.allowedConnections.update { $0 = 3 }
    for (url, tag, content) in [
      (attempt.url, "\"v1\"", Attempt.content), (Self.mirror, "\"v2\"", Self.other),
    ] {
      var next = attempt
      try next.restore(mixed)
      next.transport.serve(url, FakeAnswer.ranged(content, tag: tag))
      if url == Self.mirror { next = try withMirror(next) }
      guard case .complete(let file) = await next.run() else {
        Issue.record("no file")
        return
      }
      #expect(next.bytes == content && file.digest == SHA256Hasher.hash(of: content))
    }
  }

  @Test("With the digest, what two servers have sent is continued, and the end is verified")
  func digestIsKept() async throws {
    var attempt = try Attempt.segmented()
    try await interrupted(&attempt)
    attempt.expectedChecksum = Checksum(SHA256Hasher.hash(of: Attempt.content))
    let answer = FakeAnswer.ranged(Attempt.content, tag: "\"v2\"")
    attempt.transport.serve(Self.mirror, answer.cut(after: 33_000))
    let (_, left) = try await withMirror(attempt).runFailing()
    attempt.partial = left
    attempt.transport.forgetRequests()
    attempt.transport.serve(Self.mirror, answer)
    let next = try withMirror(attempt)
    let file = try await next.runWhole()
    #expect(attempt.transport.requests.first?.range != nil)
    #expect(file.validator.isEmpty, "bytes of several URLs have no version")
  }
}
