import LibraryAPI
import Models
import Persistence
import Synchronization
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// `retry` and `reload` of lazy records, which download what a user has named although no viewer shows it.
@Suite(.timeLimit(.minutes(60))) struct LazyVerbTests {
  private func asked(_ lab: Lab) -> [Int] {
    lab.web.requests.compactMap {
      $0.url.contains("/p/") ? Int($0.url.dropFirst(11).dropLast(4)) : nil
    }
  }

  /// A lazy record, of which a viewer has shown the first so many resources; those with even numbers are missing.
  private func record(
    _ lab: Lab, _ engine: Engine, shown: Int, of count: Int
  ) async throws -> RecordID {
    lab.serveImages(1...count)
    for number in stride(from: 2, through: shown, by: 2) {
      lab.web.serve(Lab.url(number), FakeAnswer(status: 404), .file(Lab.image(number)))
    }
    let id = try await engine.add(Lab.request(isLazy: true)).records[0]
    await engine.setVisibleRange(0..<shown, of: id, for: ViewerID(1))
    try await lab.untilCommitted { $0.finished + $0.failed == shown }
    await engine.clearVisibleRange(of: nil, for: ViewerID(1))
    try await engine.waitUntilIdle()
    lab.web.forgetRequests()
    return id
  }

  @Test(
    "Retry downloads what has failed, and nothing that was never shown", arguments: [true, false])
  func retry(isOfAll: Bool) async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let id = try await record(lab, engine, shown: 6, of: 20)
    #expect(try await engine.retry(isOfAll ? nil : id) == 3)
    try await engine.waitUntilIdle()
    #expect(asked(lab).sorted() == [2, 4, 6])
    #expect(try await lab.disk.record(id)?.counts.finished == 6)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Reload downloads what was there, and nothing that was never shown")
  func reload() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let id = try await record(lab, engine, shown: 4, of: 20)
    _ = try await engine.reload(id)
    try await engine.waitUntilIdle()
    #expect(asked(lab).sorted() == [1, 2, 3, 4])
    let counts = try #require(try await lab.disk.record(id)?.counts)
    #expect(counts.finished == 4 && counts.queued == 16)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("More resources than the scheduler receives at a time are all downloaded")
  func many() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    lab.serveImages(1...1_500)
    let id = try await engine.add(Lab.request(isLazy: true)).records[0]
    #expect(try await engine.cancel(id) == 1_500)
    #expect(try await engine.retry(id) == 1_500)
    try await engine.waitUntilIdle()
    #expect(asked(lab).count == 1_500)
    #expect(try await lab.disk.record(id)?.counts.finished == 1_500)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test(
    "A retry of a paused record waits for its end, and a viewer that leaves takes nothing along")
  func pausing() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = Gate()
    let engine = try await lab.started()
    let id = try await record(lab, engine, shown: 6, of: 20)
    lab.web.serve(Lab.url(2), FakeAnswer.file(Lab.image(2)).held(by: gate), .file(Lab.image(2)))
    _ = try await engine.pause(id)
    #expect(try await engine.retry(id) == 3)
    try await engine.waitUntilIdle()
    #expect(asked(lab).isEmpty)
    _ = try await engine.resume(id)
    try await gate.untilWaiting()
    await engine.setVisibleRange(0..<6, of: id, for: ViewerID(2))
    try await engine.untilWaiting(2)
    await engine.clearVisibleRange(of: nil, for: ViewerID(2))
    _ = try await engine.pause(id)
    gate.open()
    _ = try await engine.resume(id)
    try await engine.waitUntilIdle()
    #expect(try await lab.disk.record(id)?.counts.finished == 6)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("A removed record leaves nothing to wait for, and other records continue")
  func removing() async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = 1
    let gate = Gate()
    lab.web.serve(Lab.url(1), FakeAnswer.file(Lab.image(1)).held(by: gate), .file(Lab.image(1)))
    let engine = try await lab.started()
    lab.serveImages(1...1_500)
    let id = try await engine.add(Lab.request(isLazy: true)).records[0]
    _ = try await engine.cancel(id)
    _ = try await engine.retry(id)
    try await gate.untilWaiting()
    try await engine.remove(id)
    gate.open()
    let other = try await engine.add(Lab.request(isLazy: true)).records[0]
    _ = try await engine.cancel(other)
    _ = try await engine.retry(other)
    try await engine.waitUntilIdle()
    #expect(try await lab.disk.totals().finished == 1_500)
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("Chosen resources of a lazy record are retried")
  func chosen() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let id = try await record(lab, engine, shown: 6, of: 20)
    let failed = try await lab.allResources().filter { $0.state == .failed }.map(\.id)
    #expect(try await engine.retry(Array(failed.prefix(1)), of: id) == 1)
    try await engine.waitUntilIdle()
    #expect(asked(lab) == [2])
    await engine.stop()
    try await lab.checkLibrary()
  }

  private enum Naming: CaseIterable { case retry, reload, chosen, requeue }

  @Test(
    "What a user has named is downloaded by the next engine, and nothing else",
    arguments: Naming.allCases, [true, false])
  private func restart(_ naming: Naming, isKilled: Bool) async throws {
    let lab = try await Lab.withDatabase()
    lab.settings.network.maxConcurrentDownloads = 1
    let dies = Mutex(false)
    let engine = try await lab.open { _, changes, _ in
      let hasFile = changes.contains { if case .stored = $0 { true } else { false } }
      return hasFile && dies.withLock { $0 } ? .dieBefore : .pass
    }
    try await engine.start()
    let id = try await record(lab, engine, shown: 8, of: 20)
    let ended = try await lab.allResources().filter(\.state.isSettled)
    let failed = ended.filter { $0.state == .failed }.map(\.id)
    let gate = Gate()
    let number = naming == .reload || naming == .requeue ? 1 : 2
    lab.web.serve(Lab.url(number), FakeAnswer.file(Lab.image(number)).held(by: gate))
    let expected: [Int]
    switch naming {
    case .retry: (_, expected) = (try await engine.retry(id), [2, 4, 6, 8])
    case .reload: (_, expected) = (try await engine.reload(id), Array(1...8))
    case .chosen:
      (_, expected) = (try await engine.retry(Array(failed.prefix(2)), of: id), [2, 4])
    case .requeue:
      let damaged = ended.filter { $0.state == .finished }.prefix(2).map(\.id)
      (_, expected) = (try await engine.requeue(damaged, reason: "damaged"), [1, 3])
    }
    #expect(try await lab.disk.record(id)?.counts.named == expected.count)
    #expect(try await lab.disk.record(id)?.isOnDemand == false)
    try await gate.untilWaiting()
    if isKilled {
      dies.withLock { $0 = true }
      gate.open()
      await #expect(throws: LibraryError.self) { try await engine.waitUntilIdle() }
    }
    await engine.stop()
    gate.open()
    lab.newProcess()
    let next = try await lab.started()
    try await next.waitUntilIdle()
    #expect(asked(lab).sorted() == expected)
    let counts = try #require(try await lab.disk.record(id)?.counts)
    #expect(counts.named == 0 && counts.queued == 12)
    #expect(try await lab.disk.record(id)?.isOnDemand == true)
    await next.stop()
    try await lab.checkLibrary()
    await lab.disk.close()
  }

  @Test("An engine that does not take the queue leaves what was named to the next one that does")
  func leavingQueue() async throws {
    let lab = try Lab()
    let first = try await lab.open()
    lab.serveImages(1...4)
    let id = try await first.add(Lab.request(isLazy: true)).records[0]
    _ = try await first.cancel(id)
    #expect(try await first.retry(id) == 4)
    await first.stop()
    lab.newProcess()
    let second = try await lab.open()
    try await second.start(takesQueue: false)
    try await second.waitUntilIdle()
    await second.stop()
    #expect(asked(lab).isEmpty)
    lab.newProcess()
    let third = try await lab.started()
    try await third.waitUntilIdle()
    #expect(asked(lab).sorted() == [1, 2, 3, 4])
    await third.stop()
    try await lab.checkLibrary()
  }

  @Test(
    "What was cancelled after it was named, or stopped alone, is not downloaded by the next engine")
  func withdrawing() async throws {
    let lab = try Lab()
    let first = try await lab.open()
    let (ids, record) = try await first.addResources(
      (1...3).map { SingleDownload(url: Lab.url($0)) }, toRecord: "aria2")
    _ = try await first.cancel(record.id)
    #expect(try await first.retry(record.id) == 3)
    #expect(try await lab.disk.record(record.id)?.counts.named == 3)
    try await first.stopTransfers(of: [ids[0]], discardingFiles: false)
    try await first.stopTransfers(of: [ids[1]], discardingFiles: true)
    #expect(try await lab.disk.record(record.id)?.counts.named == 1)
    await first.stop()
    lab.newProcess()
    let second = try await lab.started()
    try await second.waitUntilIdle()
    #expect(asked(lab) == [3])
    _ = try await second.pause(record.id)
    #expect(try await second.reload(record.id) == 3)
    #expect(try await lab.disk.record(record.id)?.counts.named == 2)
    _ = try await second.cancel(record.id)
    #expect(try await lab.disk.record(record.id)?.counts.named == 0)
    _ = try await second.resume(record.id)
    await second.stop()
    lab.newProcess()
    let third = try await lab.started()
    try await third.waitUntilIdle()
    #expect(asked(lab).isEmpty)
    await third.stop()
    try await lab.checkLibrary()
  }

  @Test("The number of paused resources leaves out those on demand", arguments: [true, false])
  func pauseCount(isOfAll: Bool) async throws {
    let lab = try Lab()
    let gate = Gate()
    LongFile.serve(lab, gate)
    let engine = try await lab.started()
    let (ids, record) = try await engine.addResources(
      [LongFile.url, Lab.url(1), Lab.url(2)].map { SingleDownload(url: $0) }, toRecord: "aria2")
    try await engine.startTransfers([ids[0]: 0])
    try await gate.untilWaiting()
    #expect(try await engine.pause(isOfAll ? nil : record.id) == 1)
    #expect(try await engine.resume(isOfAll ? nil : record.id) > 0)
    gate.open()
    await engine.stop()
  }
}
