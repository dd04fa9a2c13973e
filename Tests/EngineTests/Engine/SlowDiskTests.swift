import Dispatch
import LibraryAPI
import Models
import Persistence
import TestSupport
import Testing
import Threading

@testable import Engine

/// The disk takes nothing for a while.
@Suite(.timeLimit(.minutes(60))) struct SlowDiskTests {
  @Test("A slow disk makes downloads wait, while status, limits and pause are answered at once")
  func backPressure() async throws {
    let lab = try await Lab.withDatabase()
    lab.settings.rendering.thumbnails = false
    lab.settings.network.maxConcurrentDownloads = 8
    lab.settings.network.maxPerHost = 8
    let count = CommitPacing.uncommittedLimit + 500
    let gate = Gate()
    lab.web.serve(Lab.url(1), .file(Lab.image(1)).held(by: gate))
    lab.serveImages(1...count)
    let engine = try await lab.started()
    _ = try await engine.pause(nil)
    let record = try #require(try await engine.add(Lab.request()).records.first)
    let disk = DispatchSemaphore(value: 0)
    await engine.holdDisk(until: disk)
    _ = try await engine.resume(nil)
    gate.open()
    try await engine.until { $0.commits.pacing.isDiskBehind && !$0.transfers.isAnyRunning }
    // Those on their way when the limit was reached have come, and no more.
    let asked = lab.web.requests.count - 1
    #expect(CommitPacing.uncommittedLimit..<CommitPacing.uncommittedLimit + 20 ~= asked, "\(asked)")
    #expect(await engine.status().waiting > 0)
    try await engine.setConcurrency(3)
    #expect(await engine.status().concurrency == 3)
    #expect(try await engine.pause(nil) > 0)
    #expect(await engine.status().isPaused)
    _ = try await engine.resume(nil)
    // It takes effect at once and returns when what was on its way is written.
    async let cancelled = engine.cancel(record)
    try await engine.until { $0.transfers.scheduler.waitingCount == 0 }
    #expect(lab.web.requests.count - 1 == asked)
    disk.signal()
    #expect(try await cancelled == count - asked)
    try await engine.waitUntilIdle()
    let counts = try await lab.disk.totals()
    #expect(counts.finished == asked && counts.failed == count - asked)
    await engine.stop()
    try await lab.checkLibrary()
    await lab.disk.close()
  }
}

extension Engine {
  /// From now on nothing is moved or synced before the semaphore is signalled.
  fileprivate func holdDisk(until semaphore: DispatchSemaphore) {
    stages.context.disk.start { semaphore.wait() }
  }
}
