import Glibc
import Hashing
import LibraryAPI
import Models
import ProgressTree
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

@Suite(.timeLimit(.minutes(60))) struct DownloadTests {
  private let content = Attempt.content

  @Test("A file is received completely, hashed and sniffed")
  func whole() async throws {
    let attempt = try Attempt()
    attempt.transport.serve(attempt.url, .file(content))
    let file = try await attempt.runWhole()
    #expect(file.name == "" && file.answer?.request == Attempt.request)
    #expect(file.answer?.asOf == ResourceID(99) && file.answer?.freshUntil == nil)
    #expect(file.format == .png)
    #expect(file.validator.entityTag == EntityTag("\"v1\""))
    #expect(file.mediaType == "image/png")
    #expect(file.timings.lastByte == 3 && file.timings.receivedBytes == nil)
    #expect(attempt.counter.received == Int64(content.count))
    #expect(attempt.counter.expected == Int64(content.count))
    #expect(attempt.transport.requests.first?.range == nil)
    #expect(attempt.told.forgotten.value == 0)
  }

  @Test("An empty file of no promise is a file")
  func empty() async throws {
    var attempt = try Attempt()
    attempt.url = "http://h/nothing"
    attempt.transport.serve(attempt.url, FakeAnswer())
    guard case .complete(let file) = await attempt.run() else { return #expect(Bool(false)) }
    #expect(file.byteCount == 0)
    #expect(file.digest == SHA256Hasher.hash(of: []))
  }

  @Test("The rest is appended, and the hash is of all of it")
  func appends() async throws {
    var attempt = try Attempt()
    try attempt.leave(300_000)
    attempt.transport.serve(attempt.url, .file(content))
    let file = try await attempt.runWhole()
    let received = Int64(content.count - 300_000)
    #expect(file.timings.receivedBytes == received, "the rate is that of this transfer")
    #expect(attempt.transport.requests.map(\.range) == ["bytes=300000-"])
    #expect(attempt.transport.requests.map(\.ifRange) == ["\"v1\""])
    #expect(file.validator.entityTag == EntityTag("\"v1\""))
    #expect(attempt.told.forgotten.value == 0)
  }

  @Test("A date is sufficient if there is no tag")
  func appendsByDate() async throws {
    let date = "Tue, 01 Jul 2025 10:00:00 GMT"
    var attempt = try Attempt()
    try attempt.leave(1_000, tag: nil, date: date)
    attempt.transport.serve(
      attempt.url, .file(content, tag: nil).with("Last-Modified", date))
    let file = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.ifRange) == [date])
    #expect(file.validator.lastModified == date)
  }

  @Test(
    "A date is remembered for a continuation only if the file was old when it was sent",
    arguments: [
      ("Tue, 01 Jul 2025 10:01:00 GMT", true), ("Tue, 01 Jul 2025 10:00:59 GMT", false),
      ("Tue, 01 Jul 2025 09:00:00 GMT", false), ("yesterday", false), (nil, false),
    ] as [(String?, Bool)])
  func strongDates(sent: String?, isStrong: Bool) async throws {
    let date = "Tue, 01 Jul 2025 10:00:00 GMT"
    let attempt = try Attempt()
    attempt.transport.serve(
      attempt.url,
      .file(content, tag: nil).with("Last-Modified", date).with("Date", sent).cut(after: 5_000))
    let (_, partial) = try await attempt.runFailing()
    #expect((partial != nil) == isStrong)
    #expect(partial?.validator.lastModified == (isStrong ? date : nil))
  }

  @Test("A weak tag does not permit a continuation")
  func weakTag() async throws {
    var attempt = try Attempt()
    try attempt.leave(1_000, tag: "W/\"v1\"")
    attempt.transport.serve(attempt.url, .file(content))
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == [nil])
    #expect(attempt.told.forgotten.value == 1)
  }

  @Test("After a crash of the machine only synced bytes count")
  func otherBoot() async throws {
    var attempt = try Attempt()
    try attempt.leave(300_000, boot: "boot-0", synced: 200_000)
    // What was not synced may be anything.
    let file = try FileSystem.open(attempt.path, .writing)
    let garbage = [UInt8](repeating: 0, count: 100_000)
    try file.write(all: garbage.span.bytes, at: 200_000)
    attempt.transport.serve(attempt.url, .file(content))
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == ["bytes=200000-"])
  }

  @Test("After a restart of the machine nothing is trusted that was never synced")
  func otherBootUnsynced() async throws {
    var attempt = try Attempt()
    try attempt.leave(300_000, boot: "boot-0", synced: 0)
    attempt.transport.serve(attempt.url, .file(content))
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == [nil])
  }

  @Test("A file that is shorter than its synced length is not continued")
  func shorterThanSynced() async throws {
    var attempt = try Attempt()
    try attempt.leave(1_000, synced: 2_000)
    attempt.transport.serve(attempt.url, .file(content))
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == [nil])
  }

  @Test("A machine that does not say which boot it is trusts nothing unsynced")
  func unknownBoot() async throws {
    var attempt = try Attempt()
    attempt.bootID = ""
    try attempt.leave(1_000, boot: "")
    attempt.transport.serve(attempt.url, .file(content))
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == [nil])
  }

  @Test("A download whose partial file is missing begins again")
  func partialGone() async throws {
    var attempt = try Attempt()
    try attempt.leave(1_000)
    try FileSystem.remove(attempt.path)
    attempt.transport.serve(attempt.url, .file(content))
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == [nil])
  }

  @Test("A new version is fetched from zero, after the old one was forgotten")
  func changed() async throws {
    var attempt = try Attempt()
    try attempt.leave(1_000)
    attempt.transport.serve(attempt.url, .file(content, tag: "\"v2\""))
    let file = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == ["bytes=1000-", nil])
    #expect(attempt.told.forgotten.value == 1)
    #expect(file.validator.entityTag == EntityTag("\"v2\""))
  }

  @Test("Where the old version cannot be forgotten nothing is written over it")
  func cannotForget() async throws {
    var attempt = try Attempt()
    try attempt.leave(1_000)
    attempt.told.canForget.update { $0 = false }
    attempt.transport.serve(attempt.url, .file(content, tag: "\"v2\""))
    let (failure, _) = try await attempt.runFailing()
    #expect(failure == .cancelled)
    #expect(attempt.bytes == Array(content.prefix(1_000)))
  }

  @Test("A server that does not know ranges sends all of it again")
  func noRanges() async throws {
    var attempt = try Attempt()
    try attempt.leave(1_000)
    attempt.transport.serve(attempt.url, .file(content).withoutRanges())
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.count == 1)
  }

  @Test("416 with the length of the partial file means that it is complete")
  func alreadyWhole() async throws {
    var attempt = try Attempt()
    try attempt.leave(content.count)
    attempt.transport.serve(attempt.url, .file(content))
    let file = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == ["bytes=\(content.count)-"])
    // The type of the answer is that of an error page.
    #expect(file.mediaType == nil)
    #expect(file.validator.entityTag == EntityTag("\"v1\""))
  }

  @Test("416 with another length begins again")
  func wrongLength() async throws {
    var attempt = try Attempt()
    try attempt.leave(1_000)
    attempt.transport.serve(
      attempt.url, FakeAnswer(status: 416, fields: HTTPFields(["Content-Range": "bytes */999"])),
      .file(content))
    _ = try await attempt.runWhole()
    #expect(attempt.told.forgotten.value == 1)
  }

  @Test("An interrupted transfer leaves the state for a continuation")
  func broken() async throws {
    let attempt = try Attempt()
    attempt.transport.serve(attempt.url, .file(content).cut(after: 400_000))
    let (failure, partial) = try await attempt.runFailing()
    #expect(failure.isRetryable)
    #expect(partial?.validator.entityTag == EntityTag("\"v1\""))
    #expect(partial?.totalBytes == Int64(content.count))
    #expect(attempt.bytes == Array(content.prefix(400_000)))
    var next = attempt
    next.partial = partial
    attempt.transport.serve(attempt.url, .file(content))
    _ = try await next.runWhole()
    #expect(attempt.transport.requests.last?.range == "bytes=400000-")
  }

  @Test("A failure before the response does not discard the bytes of an earlier attempt")
  func failureBeforeHead() async throws {
    for answer in [FakeAnswer.failure(.connectionRefused), FakeAnswer(status: 503)] {
      var attempt = try Attempt()
      try attempt.leave(1_000)
      attempt.transport.serve(attempt.url, answer)
      let (failure, partial) = try await attempt.runFailing()
      #expect(failure.isRetryable)
      #expect(partial == attempt.partial)
      #expect(attempt.bytes?.count == 1_000)
    }
  }

  @Test("Without a validator no partial file is kept")
  func brokenWithoutValidator() async throws {
    let attempt = try Attempt()
    attempt.transport.serve(attempt.url, .file(content, tag: nil).cut(after: 400_000))
    #expect(try await attempt.runFailing().1 == nil)
    #expect(attempt.told.remembered.value.isEmpty)
    #expect(attempt.bytes == nil)
  }

  @Test("A transfer that fails before its first byte leaves no file")
  func brokenAtOnce() async throws {
    let attempt = try Attempt()
    attempt.transport.serve(attempt.url, .file(content).cut(after: 0))
    #expect(try await attempt.runFailing().1 == nil)
    #expect(attempt.bytes == nil)
  }

  @Test("A body that is shorter than announced is not complete, although the transfer succeeded")
  func shortBody() async throws {
    let attempt = try Attempt()
    attempt.transport.serve(
      attempt.url, .file(content).with("Content-Length", "\(content.count + 1)"))
    let (failure, partial) = try await attempt.runFailing()
    #expect(failure.isRetryable && failure.reason.contains("of \(content.count + 1) bytes"))
    #expect(partial != nil)
  }

  @Test("A file that is too large is refused by its length, and at the limit without one")
  func tooLarge() async throws {
    var attempt = try Attempt()
    attempt.settings.limits.resourceBytes = 1_000
    attempt.transport.serve(attempt.url, .file(content), .file(content).withoutLength())
    for _ in 0..<2 {
      let (failure, partial) = try await attempt.runFailing()
      #expect(failure == .tooLarge(limit: 1_000))
      #expect(!failure.isRetryable && partial == nil)
      #expect(failure.reason.contains("limits.resourceBytes"))
      #expect(attempt.bytes?.count ?? 0 <= 1_000)
    }
  }

  @Test("A file that would become too large by the rest is refused, too")
  func tooLargeRest() async throws {
    var attempt = try Attempt()
    try attempt.leave(900)
    attempt.settings.limits.resourceBytes = 1_000
    attempt.transport.serve(attempt.url, .file(content))
    let (failure, partial) = try await attempt.runFailing()
    #expect(failure == .tooLarge(limit: 1_000) && partial == nil)
  }

  @Test("Each subscriber checks the file against its own list")
  func noJudgement() async throws {
    var attempt = try Attempt()
    attempt.expectedChecksum = Checksum(SHA256Hasher.hash(of: [1]))
    attempt.others = [nil]
    attempt.transport.serve(attempt.url, .file(content))
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.count == 1)
  }

  @Test("Two versions under one tag are found out by the promised digest")
  func mixedVersions() async throws {
    var attempt = try Attempt()
    try attempt.leave(1_000)
    try FileSystem.replace(attempt.path, with: [UInt8](repeating: 1, count: 1_000).span.bytes)
    attempt.expectedChecksum = Checksum(SHA256Hasher.hash(of: content))
    attempt.transport.serve(attempt.url, .file(content))
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.map(\.range) == ["bytes=1000-", nil])
    #expect(attempt.told.forgotten.value == 1)
  }

  @Test("A resumed file with another checksum than the stated one starts over")
  func resumedWithOtherChecksum() async throws {
    let digest = MessageDigest(.md5)
    digest.update(content.span.bytes)
    let expected = digest.finish()
    var attempt = try Attempt()
    attempt.expectedChecksum = expected
    try attempt.leave(1_000)
    try FileSystem.replace(attempt.path, with: [UInt8](repeating: 1, count: 1_000).span.bytes)
    attempt.transport.serve(attempt.url, .file(content))
    #expect(try await attempt.runWhole().otherChecksums == [expected])
    #expect(attempt.transport.requests.map(\.range) == ["bytes=1000-", nil])
  }

  @Test("A long body is remembered once it is worth it, a short one never")
  func remembers() async throws {
    let attempt = try Attempt()
    attempt.transport.serve(attempt.url, .file(content))
    _ = try await attempt.runWhole()
    let remembered = attempt.told.remembered.value
    #expect(remembered.count == 1)
    #expect(remembered.first?.totalBytes == Int64(content.count))
    #expect(remembered.first?.bootID == "boot-1")
    let short = try Attempt()
    short.transport.serve(short.url, .file(Array(content.prefix(10_000))).withoutLength())
    _ = await short.run()
    #expect(short.told.remembered.value.isEmpty)
  }

  @Test("A cancelled transfer keeps its bytes")
  func cancelled() async throws {
    let attempt = try Attempt()
    let gate = Gate()
    attempt.transport.serve(attempt.url, .file(content).held(by: gate, after: 500_000))
    let task = Task { await attempt.run() }
    try await gate.untilWaiting()
    task.cancel()
    guard case .failed(.cancelled, let partial?) = await task.value else {
      return #expect(Bool(false))
    }
    #expect(partial.totalBytes == Int64(content.count))
    #expect(attempt.bytes == Array(content.prefix(500_000)))
  }

  @Test("A status is the reason", arguments: [404, 403, 410, 451, 500, 418, 999])
  func status(code: Int) async throws {
    let attempt = try Attempt()
    attempt.transport.serve(attempt.url, FakeAnswer(status: code))
    let (failure, _) = try await attempt.runFailing()
    #expect(failure.reason.hasPrefix("HTTP \(code)"))
    #expect(failure.isRetryable == (code >= 500))
    #expect(attempt.bytes == nil)
  }

  @Test("A text that is not a URL is a reason, not a crash")
  func noURL() async throws {
    var attempt = try Attempt()
    attempt.url = "stdin:abc"
    let (failure, _) = try await attempt.runFailing()
    #expect(!failure.isRetryable && failure.reason.contains("not a URL"))
  }

  @Test("The library's own disk is another matter than the resource")
  func diskFails() async throws {
    let attempt = try Attempt()
    try FileSystem.removeTree(attempt.layout.incoming)
    attempt.transport.serve(attempt.url, .file(content))
    let (failure, _) = try await attempt.runFailing()
    guard case .disk(let detail, isFull: false) = failure else {
      return #expect(Bool(false), "\(failure)")
    }
    #expect(detail.contains(attempt.layout.incoming))
  }

  @Test("A link in place of the partial file is not followed")
  func link() async throws {
    let attempt = try Attempt()
    let victim = try attempt.folder.write("victim", [1, 2, 3])
    try #require(symlink(victim, attempt.path) == 0)
    attempt.transport.serve(attempt.url, .file(content))
    _ = await attempt.run()
    #expect(try FileSystem.contents(of: victim) == [1, 2, 3])
  }

  @Test(
    "A text without a URL fails alone, with the reason",
    arguments: [
      ("stdin:00ff", "scheme \"stdin\" is not http or https"),
      ("picture.png", "not an http or https URL"),
      ("http://me@h/a.png", "contains a user name; credentials in URLs are not accepted"),
    ])
  func invalidText(text: String, reason: String) async throws {
    var attempt = try Attempt()
    attempt.url = text
    let (failure, partial) = try await attempt.runFailing()
    #expect(failure == .content("not a URL that can be fetched: \(reason)"))
    #expect(partial == nil && attempt.transport.requests.isEmpty)
  }
}
