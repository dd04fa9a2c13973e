import Models
import Persistence
import SystemCalls
import TestSupport
import Testing
import Transport

@testable import Engine

/// Attempts that continue a file of which several connections have received parts.
@Suite("A partial file with gaps", .timeLimit(.minutes(60)))
struct SegmentedResumingTests {
  private let content = Attempt.content

  /// Runs until every connection is lost, with parts beyond the prefix received.
  private func interrupted(_ attempt: inout Attempt) async throws {
    let gate = Gate()
    attempt.transport.serve(
      attempt.url, FakeAnswer.ranged(content).held(by: gate, after: 40_000).cut(after: 60_000),
      FakeAnswer.ranged(content), FakeAnswer.ranged(content), FakeAnswer.ranged(content),
      FakeAnswer.ranged(content).cut(after: 30_000))
    let (run, transport) = (attempt, attempt.transport)
    async let result = run.runFailing()
    try await transport.activity.until { $0.ended >= 6 }
    gate.open()
    let (failure, partial) = try await result
    #expect(failure.isRetryable)
    let left: PartialDownload = try #require(partial)
    attempt.partial = left
    #expect(attempt.partial?.totalBytes == Int64(content.count))
    transport.forgetRequests()
    transport.serve(attempt.url, FakeAnswer.ranged(content))
  }

  @Test("After an interruption, no received byte is requested again")
  func resumes() async throws {
    var attempt = try Attempt.segmented()
    try await interrupted(&attempt)
    let file = try FileSystem.open(attempt.path)
    let total = Int64(content.count)
    let found = try #require(try SegmentJournal.read(from: file, total: total))
    let received = found.journal.received
    #expect(received.ranges.count > 1 && received.prefixEnd >= 40_000)
    for range in received.ranges {
      let bytes = try file.bytes(count: range.count, at: range.lowerBound)
      #expect(bytes == Array(content[Int(range.lowerBound)..<Int(range.upperBound)]))
    }
    _ = try await attempt.runWhole()
    let requests = attempt.transport.requests
    #expect(requests.first?.range == "bytes=\(received.prefixEnd)-")
    for range in attempt.requestedRanges {
      let isReceived = received.ranges.contains {
        $0.overlaps(Int64(range.lowerBound)..<Int64(range.upperBound))
      }
      #expect(!isReceived, "\(range)")
    }
  }

  @Test("Without a granted connection, the gaps are filled one after the other")
  func resumesAlone() async throws {
    var attempt = try Attempt.segmented()
    try await interrupted(&attempt)
    attempt.told.allowedConnections.update { $0 = 0 }
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.count > 1)
  }

  @Test("With segments turned off, the prefix is continued")
  func resumesWithoutSegments() async throws {
    var attempt = try Attempt.segmented()
    try await interrupted(&attempt)
    attempt.settings.network.segments = 1
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.count == 1)
    #expect(attempt.transport.requests.first?.range?.hasSuffix("-") == true)
  }

  @Test(
    "Without the list of ranges, only the synced prefix is trusted", arguments: [0, 20_000])
  func lostList(synced: Int64) async throws {
    var attempt = try Attempt.segmented()
    try await interrupted(&attempt)
    let file = try FileSystem.open(attempt.path, .writing)
    let garbage = [UInt8](repeating: 0xff, count: 2 * SegmentJournal.slotBytes)
    try file.write(all: garbage.span.bytes, at: Int64(content.count))
    let left = try #require(attempt.partial)
    attempt.partial = PartialDownload(
      validator: left.validator, totalBytes: left.totalBytes, bootID: left.bootID,
      syncedBytes: synced)
    _ = try await attempt.runWhole()
    let first = try #require(attempt.transport.requests.first)
    #expect(first.range == (synced == 0 ? nil : "bytes=\(synced)-"))
  }

  @Test(
    "Of a file that was cut short, and has lost its list, only the synced prefix is trusted",
    arguments: [0, 20_000])
  func cutFile(synced: Int64) async throws {
    var attempt = try Attempt.segmented()
    try await interrupted(&attempt)
    // A killed process leaves the row that was recorded when the segments began.
    let recorded = try #require(attempt.told.remembered.value.last)
    #expect(recorded.hasGaps && attempt.partial?.hasGaps == true)
    let file = try FileSystem.open(attempt.path, .writing)
    try file.truncate(to: Int64(content.count) / 2)
    attempt.partial = PartialDownload(
      validator: recorded.validator, totalBytes: recorded.totalBytes, bootID: recorded.bootID,
      syncedBytes: synced, hasGaps: recorded.hasGaps, url: recorded.url)
    _ = try await attempt.runWhole()
    let first = try #require(attempt.transport.requests.first)
    #expect(first.range == (synced == 0 ? nil : "bytes=\(synced)-"))
    // The complete file has no list and no gaps.
    #expect(attempt.told.remembered.value.last?.hasGaps == false)
  }

  @Test("After a restart of the machine, only synced ranges are trusted")
  func otherBoot() async throws {
    var attempt = try Attempt.segmented()
    try await interrupted(&attempt)
    attempt.bootID = "boot-2"
    // Bytes that were not synced may be anything.
    let file = try FileSystem.open(attempt.path, .writing)
    let garbage = [UInt8](repeating: 0, count: content.count)
    try file.write(all: garbage.span.bytes, at: 0)
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.first?.range == nil)
  }

  @Test("After a power cut, the synced prefix counts, also beyond an older list")
  func olderList() async throws {
    var attempt = try Attempt.segmented()
    try await interrupted(&attempt)
    attempt.bootID = "boot-2"
    let left = try #require(attempt.partial)
    attempt.partial = PartialDownload(
      validator: left.validator, totalBytes: left.totalBytes, bootID: left.bootID,
      syncedBytes: 30_000)
    _ = try await attempt.runWhole()
    #expect(attempt.transport.requests.first?.range == "bytes=30000-")
  }

  @Test("A cancelled download ends all requests and can be continued")
  func cancelled() async throws {
    var attempt = try Attempt.segmented()
    let (first, others) = (Gate(), Gate())
    attempt.transport.serve(
      attempt.url, FakeAnswer.ranged(content).held(by: first, after: 40_000),
      FakeAnswer.ranged(content),
      FakeAnswer.ranged(content).held(by: others, after: 1_000))
    let running = attempt
    let task = Task { await running.run() }
    try await others.untilWaiting(3)
    task.cancel()
    guard case .failed(.cancelled, let partial) = await task.value else {
      return #expect(Bool(false))
    }
    #expect(attempt.transport.activity.value.active == 0)
    let left: PartialDownload = try #require(partial)
    attempt.partial = left
    attempt.transport.serve(attempt.url, FakeAnswer.ranged(content))
    _ = try await attempt.runWhole()
  }

  @Test("The state of the file at any request is enough to continue after a kill")
  func killed() async throws {
    var attempt = try Attempt.segmented()
    attempt.settings.durability = .full
    let snapshots = Watched<[[UInt8]]>([])
    let path = attempt.path
    let answer = FakeAnswer.ranged(content)
    let transport = FakeTransport { _, _ in
      let bytes = (try? FileSystem.contents(of: path, limit: 1 << 24)) ?? []
      snapshots.update { $0.append(bytes) }
      return answer
    }
    guard case .complete = await attempt.run(through: transport) else {
      return #expect(Bool(false))
    }
    let partial = try #require(attempt.told.remembered.value.last)
    let states = snapshots.value.filter { $0.count > content.count }
    #expect(!states.isEmpty)
    for state in states {
      try FileSystem.replace(path, with: state.span.bytes)
      attempt.partial = partial
      attempt.transport.serve(attempt.url, answer)
      _ = try await attempt.runWhole()
    }
  }
}
