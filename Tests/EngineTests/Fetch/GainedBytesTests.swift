import Models
import Persistence
import SystemCalls
import TestSupport
import Testing
import Transport

@testable import Engine

/// The progress of attempts that fail, from which the retries are counted.
@Suite("The bytes that a failed attempt has gained", .timeLimit(.minutes(60)))
struct GainedBytesTests {
  private let content = Attempt.content

  /// Runs one attempt after the other, each with the state that the last one left.
  private func gains(_ attempt: Attempt, _ answers: [FakeAnswer]) async throws -> [Int64] {
    var attempt = attempt
    for answer in answers {
      let transport = FakeTransport { _, _ in answer }
      let outcome = await attempt.run(through: transport)
      guard case .failed(_, let partial) = outcome else {
        Issue.record("\(outcome)")
        break
      }
      attempt.partial = partial
      attempt.longestPartial = attempt.told.gains.value.last?.longest ?? 0
    }
    return attempt.told.gains.value.map(\.gained)
  }

  @Test("An attempt that continues the file gains the bytes that it adds")
  func continued() async throws {
    let answer = FakeAnswer.file(content, tag: "\"v1\"")
    let gains = try await gains(
      Attempt(), [answer.cut(after: 100_000), answer.cut(after: 50_000), answer.cut(after: 0)])
    #expect(gains == [100_000, 50_000, 0])
  }

  @Test("A file that changes with every answer gains nothing by its second version")
  func changing() async throws {
    let answers = (1...4).map { FakeAnswer.file(content, tag: "\"v\($0)\"").cut(after: 100_000) }
    let gains = try await gains(Attempt(), answers)
    #expect(gains == [100_000, 0, 0, 0])
  }

  @Test("A server without ranges gains only the bytes beyond the longest state")
  func withoutRanges() async throws {
    let answer = FakeAnswer.file(content, tag: "\"v1\"").withoutRanges()
    let lengths = [50_000, 150_000, 50_000, 150_000, 160_000]
    let gains = try await gains(Attempt(), lengths.map { answer.cut(after: $0) })
    #expect(gains == [50_000, 100_000, 0, 0, 10_000])
  }

  @Test("A cancelled attempt does not wait for the hash of a long partial file, and keeps the file")
  func cancelled() async throws {
    var changed = try Attempt()
    try changed.leave(1_000)
    // The hash of so many bytes would take many minutes; the file occupies no space.
    let byteCount: Int64 = 1 << 40
    try FileSystem.open(changed.path, .writing).truncate(to: byteCount)
    let left = try #require(changed.partial)
    changed.partial = PartialDownload(
      validator: left.validator, totalBytes: nil, bootID: left.bootID, syncedBytes: 0)
    let attempt = changed
    let task = Task { await attempt.run() }
    task.cancel()
    guard case .failed(.cancelled, let partial) = await task.value else {
      return #expect(Bool(false))
    }
    #expect(partial == attempt.partial && attempt.transport.requests.isEmpty)
    #expect(try FileSystem.open(attempt.path).status().size == byteCount)
  }

  @Test("The bytes of an earlier process are not gained, also after the file began again")
  func earlierProcess() async throws {
    var attempt = try Attempt()
    try attempt.leave(80_000)
    let gains = try await gains(
      attempt, [FakeAnswer.file(content, tag: "\"v2\"").cut(after: 70_000)])
    #expect(gains == [0])
  }
}
