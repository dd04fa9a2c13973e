import Hashing
import Models
import Persistence
import ProgressTree
import Synchronization
import SystemCalls
import TestSupport
import Testing
import Transport

@testable import Engine

/// Downloads of one large file over several connections.
@Suite("A large file over several connections", .timeLimit(.minutes(60)))
struct SegmentedDownloadTests {
  private let content = Attempt.content

  @Test("The parts come over several connections, and the hash is that of the whole file")
  func whole() async throws {
    let attempt = try Attempt.segmented()
    let gate = Gate()
    attempt.transport.serve(
      attempt.url, FakeAnswer.ranged(content).held(by: gate, after: 40_000),
      FakeAnswer.ranged(content))
    async let file = attempt.runWhole()
    try await attempt.open(gate, after: 4)
    #expect(try await file.format == .png)
    #expect(try await file.mediaType == "image/png")
    #expect(try await file.validator.entityTag == EntityTag("\"v1\""))
    let requests = attempt.transport.requests
    #expect(requests[0].range == nil && requests[0].ifRange == nil)
    #expect(requests.dropFirst().allSatisfy { $0.ifRange == "\"v1\"" && $0.range != nil })
    // Four connections share the minimum speed of the transfer.
    let lowSpeed = requests[0].lowSpeed
    #expect(lowSpeed > 0 && requests.dropFirst().allSatisfy { $0.lowSpeed == lowSpeed / 4 })
    #expect((2...4).contains(attempt.transport.activity.value.peak))
    let ranges = attempt.requestedRanges.sorted { $0.lowerBound < $1.lowerBound }
    #expect(ranges.count >= 4)
    // A split shortens a segment after its request, so that ends may overlap the next segment. A request that
    // waits for more than a second may be sent twice.
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound })
    #expect(attempt.counter.received == Int64(content.count))
  }

  @Test(
    "One connection is used where segments are not possible",
    arguments: [
      "no ranges", "weak", "dated", "coded", "small", "no length", "off", "fast", "limited",
    ])
  func single(reason: String) async throws {
    var attempt = try Attempt.segmented()
    var answer = FakeAnswer.ranged(content)
    switch reason {
    case "no ranges": answer = answer.with("Accept-Ranges", "none")
    case "weak": answer = answer.with("ETag", "W/\"v1\"")
    case "dated":
      answer = answer.with("ETag", nil).with("Last-Modified", "Tue, 01 Jul 2025 10:00:00 GMT")
    case "coded": answer = answer.with("Content-Encoding", "gzip, br")
    case "small": attempt.settings.network.segmentBytes = content.count
    case "no length": answer = answer.withoutLength()
    case "off": attempt.settings.network.segments = 1
    case "fast": attempt.settings.network.segmentSeconds = 86_400
    default: attempt.told.allowedConnections.update { $0 = 0 }
    }
    attempt.transport.serve(attempt.url, answer)
    let outcome = await attempt.run()
    if reason == "coded" {
      guard case .failed = outcome else { return #expect(Bool(false), "\(outcome)") }
    } else {
      guard case .complete(let file) = outcome else { return #expect(Bool(false), "\(outcome)") }
      #expect(file.digest == SHA256Hasher.hash(of: content))
    }
    #expect(attempt.transport.requests.count == 1)
  }

  @Test(
    "The first connection receives the whole file if no other request is answered with its range",
    arguments: ["ignored", "forbidden", "throttled", "lost", "wrong range", "no tag"])
  func refused(reason: String) async throws {
    let attempt = try Attempt.segmented()
    let gate = Gate()
    let good = FakeAnswer.ranged(content)
    var other = good
    switch reason {
    case "ignored": other = good.withoutRanges()
    case "forbidden": other = FakeAnswer(status: 403)
    case "throttled": other = FakeAnswer(status: 503).with("Retry-After", "7")
    case "lost": other = .failure(.connectionLost)
    case "wrong range":
      other = FakeAnswer(status: 206, body: Array(content.prefix(65_536)))
        .with("Content-Range", "bytes 0-65535/\(content.count)").with("ETag", "\"v1\"")
    default:
      other = FakeAnswer(status: 206, body: []).with("Content-Range", "bytes 0-0/9")
    }
    if reason == "no tag" {
      // Another length in a part is another version.
      attempt.transport.serve(attempt.url, good.held(by: gate, after: 40_000), other, good)
    } else {
      attempt.transport.serve(attempt.url, good.held(by: gate, after: 40_000), other)
    }
    async let file = attempt.runWhole()
    try await attempt.open(gate, after: 1)
    _ = try await file
    if reason == "throttled" {
      let failures = attempt.told.endedConnections.value.compactMap { $0 }
      #expect(failures.contains(.status(503, retryAfter: "7")))
    }
    if reason != "no tag" {
      #expect(attempt.transport.requests.count { $0.range == nil } == 1)
    }
  }

  @Test("If the file changes, all of it is received again, and nothing of the old one remains")
  func changed() async throws {
    let attempt = try Attempt.segmented()
    let gate = Gate()
    let new = Array(content.reversed())
    attempt.transport.serve(
      attempt.url, FakeAnswer.ranged(content).held(by: gate, after: 40_000),
      FakeAnswer.ranged(content),
      FakeAnswer.ranged(new, tag: "\"v2\""))
    let outcome = await attempt.run()
    guard case .complete(let file) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(file.digest == SHA256Hasher.hash(of: new) && attempt.bytes == new)
    #expect(file.validator.entityTag == EntityTag("\"v2\""))
    #expect(attempt.transport.requests.last?.range == nil)
    // The row of the first version was deleted before the file was written again.
    #expect(attempt.told.forgotten.value == 1)
  }

  @Test("A different digest than the promised one is confirmed over one connection")
  func otherDigest() async throws {
    var attempt = try Attempt.segmented()
    attempt.expectedChecksum = Checksum(SHA256Hasher.hash(of: [1]))
    attempt.transport.serve(attempt.url, FakeAnswer.ranged(content))
    let outcome = await attempt.run()
    guard case .complete(let file) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(file.digest == SHA256Hasher.hash(of: content))
    #expect(attempt.transport.requests.last?.range == nil)
  }

  @Test("A file in segments is hashed with the algorithm of the stated checksum")
  func otherAlgorithm() async throws {
    var attempt = try Attempt.segmented()
    let digest = MessageDigest(.sha384)
    digest.update(content.span.bytes)
    let expected = digest.finish()
    attempt.expectedChecksum = expected
    attempt.transport.serve(attempt.url, FakeAnswer.ranged(content))
    let outcome = await attempt.run()
    guard case .complete(let file) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(file.otherChecksums == [expected])
    #expect(attempt.transport.requests.count { $0.range == nil } == 1)
  }

  @Test(
    "A file that changed at the same length is never mixed, whichever request notices first",
    arguments: 1...6)
  func changedLater(count: Int) async throws {
    let attempt = try Attempt.segmented()
    let new = Array(content.reversed())
    let transport = FakeTransport { _, number in
      number < count ? FakeAnswer.ranged(content) : FakeAnswer.ranged(new, tag: "\"v2\"")
    }
    let outcome = await attempt.run(through: transport)
    guard case .complete(let file) = outcome else { return #expect(Bool(false), "\(outcome)") }
    let isNew = file.validator.entityTag == EntityTag("\"v2\"")
    #expect(attempt.bytes == (isNew ? new : content))
    #expect(file.digest == SHA256Hasher.hash(of: isNew ? new : content))
  }

  @Test(
    "After a restart, the connections that were granted are returned", arguments: [true, false])
  func returnsConnections(hasChanged: Bool) async throws {
    let attempt = try Attempt.segmented()
    let gate = Gate()
    let other =
      hasChanged
      ? FakeAnswer.ranged(content, tag: "\"v2\"") : FakeAnswer.ranged(content).withoutRanges()
    attempt.transport.serve(
      attempt.url, FakeAnswer.ranged(content).held(by: gate, after: 40_000),
      FakeAnswer.ranged(content), other)
    async let file = attempt.runWhole()
    try await attempt.open(gate, after: 3)
    _ = try await file
    #expect(attempt.told.usedConnections.value == 0)
    #expect(attempt.told.wantedConnections.value == 0)
  }

  @Test("While the file is received again on one connection, a granted one is refused")
  func refusesGrants() async throws {
    let attempt = try Attempt.segmented()
    let (first, last) = (Gate(), Gate())
    defer { first.open() }
    let new = FakeAnswer.ranged(content, tag: "\"v2\"")
    attempt.transport.serve(
      attempt.url, FakeAnswer.ranged(content).held(by: first, after: 40_000), new,
      new.held(by: last, after: 40_000))
    async let file = attempt.runWhole()
    // The new version is found by the further connections, which ends all of them and the first one.
    try await last.untilWaiting(1)
    #expect(attempt.told.wantedConnections.value == 0)
    let refused = attempt.told.refusedConnections.value
    attempt.told.download.withLock { $0 }?.addConnection()
    #expect(attempt.told.refusedConnections.value == refused + 1)
    last.open()
    _ = try await file
  }

  @Test("If ranges are refused in the middle, the received prefix is continued on one connection")
  func continuesAlone() async throws {
    let attempt = try Attempt.segmented(connections: 2)
    let gate = Gate()
    attempt.transport.serve(
      attempt.url, FakeAnswer.ranged(content).held(by: gate, after: 40_000),
      FakeAnswer.ranged(content),
      FakeAnswer(status: 403), FakeAnswer(status: 403), FakeAnswer.ranged(content))
    async let file = attempt.runWhole()
    try await attempt.open(gate, after: 2)
    _ = try await file
    let requests = attempt.transport.requests
    let last = try #require(requests.last)
    #expect(requests.count == 5 && last.range?.hasSuffix("-") == true)
    #expect(last.ifRange == "\"v1\"")
    #expect(attempt.told.forgotten.value == 0)
  }

  @Test(
    "After a redirect over another origin, segments are requested from its target, without the caller's fields",
    arguments: [("http://other/b.png", false), ("http://h/b.png", true)])
  func redirected(_ target: String, _ returns: Bool) async throws {
    var changed = try Attempt.segmented()
    changed.settings.network.headers = ["X-Token: secret"]
    let attempt = changed
    let gate = Gate()
    attempt.transport.serve(
      attempt.url,
      FakeAnswer.ranged(content).held(by: gate, after: 40_000)
        .redirected(to: target, overAnotherOrigin: returns))
    attempt.transport.serve(target, FakeAnswer.ranged(content))
    async let file = attempt.runWhole()
    try await attempt.open(gate, after: 3)
    _ = try await file
    #expect(attempt.told.wantedHost.value == (returns ? "http://h" : "http://other"))
    #expect(attempt.transport.requests(for: attempt.url).count == 1)
    #expect(attempt.transport.requests[0].fields["X-Token"] == "secret")
    let others = attempt.transport.requests(for: target)
    #expect(others.count >= 3)
    #expect(others.allSatisfy { $0.fields["X-Token"] == nil && $0.range != nil })
    #expect(!attempt.transport.requests[0].isNamedByResponse)
    #expect(
      others.allSatisfy { $0.isNamedByResponse }, "A signature would be made for a server's URL.")
    // The address of the server is not known here, and counts as public.
    #expect(others.allSatisfy { $0.addresses == .publicOnly })
  }

  @Test("A request without an answer does not delay the end of the file")
  func silent() async throws {
    let attempt = try Attempt.segmented(connections: 2)
    let (stream, silent) = (Gate(), Gate())
    let answer = FakeAnswer.ranged(content)
    attempt.transport.serve(
      attempt.url, answer.held(by: stream, after: 40_000), answer, answer.held(by: silent), answer)
    async let file = attempt.runWhole()
    try await silent.untilWaiting(1)
    stream.open()
    _ = try await file
    // Every other byte has come; the request behind the gate was cancelled.
    #expect(attempt.transport.activity.value.active == 0)
  }

  @Test("Segments have the rest of the time of their attempt")
  func sharedDeadline() async throws {
    var changed = try Attempt.segmented()
    changed.settings.network.totalTimeout = 30
    let attempt = changed
    let gate = Gate()
    attempt.transport.serve(
      attempt.url, FakeAnswer.ranged(content).held(by: gate, after: 40_000),
      FakeAnswer.ranged(content))
    async let file = attempt.runWhole()
    try await attempt.open(gate, after: 3)
    _ = try await file
    #expect(attempt.transport.requests.count > 3)
    #expect(attempt.transport.requests.allSatisfy { (0.001...30).contains($0.totalTimeout) })
  }

  @Test("No segment is requested when the time of the attempt is over")
  func timeIsOver() async throws {
    var changed = try Attempt.segmented()
    changed.settings.network.totalTimeout = 1e-9
    let attempt = changed
    attempt.transport.serve(attempt.url, FakeAnswer.ranged(content), FakeAnswer.ranged(content))
    // The fake transport has no time limit, so that the first response delivers the file.
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.count == 1)
  }

  @Test("A withdrawn connection ends, and the file is received by the others")
  func withdrawn() async throws {
    let attempt = try Attempt.segmented()
    let (first, others) = (Gate(), Gate())
    attempt.transport.serve(
      attempt.url, FakeAnswer.ranged(content).held(by: first, after: 40_000),
      FakeAnswer.ranged(content).held(by: others, after: 1_000))
    async let file = attempt.runWhole()
    try await others.untilWaiting(3)
    let download = attempt.told.download.withLock { $0 }
    for _ in 0..<3 { download?.withdrawConnection() }
    others.open()
    try await attempt.told.endedConnections.until { $0.count == 3 }
    first.open()
    _ = try await file
    #expect(attempt.told.endedConnections.value.allSatisfy { $0 == nil })
  }

  // MARK: - At random

  @Test("With two versions and every fault, the file is one version, whole", arguments: 0..<60)
  func randomFaults(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let old = Array(content.prefix(700_001))
    let new = Array(content.suffix(old.count))
    let versions = [FakeAnswer.ranged(old), FakeAnswer.ranged(new, tag: "\"v2\"")]
    var attempt = try Attempt.segmented(connections: .random(in: 2...6, using: &random))
    for round in 0..<40 {
      attempt.told.allowedConnections.update { [limit = round % 5] in $0 = limit }
      let answers = (0..<40).map { _ -> FakeAnswer in
        let isNew = round > 5 && Int.random(in: 0..<9, using: &random) == 0
        return Self.faulty(versions[isNew ? 1 : 0], &random)
      }
      let transport = FakeTransport { _, count in answers[min(count, answers.count - 1)] }
      let outcome = await attempt.run(through: transport)
      switch outcome {
      case .complete(let file):
        let isOld = file.digest == SHA256Hasher.hash(of: old)
        #expect(attempt.bytes == (isOld ? old : new), "seed \(seed)")
        #expect(isOld || file.digest == SHA256Hasher.hash(of: new), "seed \(seed)")
        // One connection is enough for a response without a tag.
        let tag = file.validator.entityTag
        #expect(tag == nil || tag == EntityTag(isOld ? "\"v1\"" : "\"v2\""), "seed \(seed)")
        return
      case .failed(let failure, let partial):
        #expect(failure != .cancelled, "seed \(seed)")
        attempt.partial = partial
      case .unchanged, .described, .isResource: #expect(Bool(false))
      }
    }
    // Some seeds end without a complete file; each round then kept the rules.
  }

  private static func faulty(_ answer: FakeAnswer, _ random: inout SeededGenerator) -> FakeAnswer {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: answer.cut(after: .random(in: 0...400_000, using: &random))
    case 1: answer.withoutRanges()
    case 2: FakeAnswer(status: 503)
    case 3: .failure(.connectionLost)
    case 4: answer.with("ETag", nil)
    default: answer
    }
  }
}
