import LibraryAPI
import Models
import Persistence
import PersistenceSQLite
import ProgressTree
import TestSupport
import Testing

@testable import Engine

/// Another process writes to the database, or only has it locked, as tools that look into it do.
@Suite(.timeLimit(.minutes(60))) struct ForeignLockTests {
  private let clock = ManualClock()
  private let lab: Lab
  private let gate = Gate()

  init() async throws {
    lab = try await Lab.withDatabase(clock: clock)
    lab.settings.rendering.thumbnails = false
  }

  /// Takes the lock for writing.
  private func lock() throws -> Connection {
    let other = try Connection(
      lab.layout.internals + "/library.sqlite", .existing, busyTimeout: 0)
    try other.execute("BEGIN IMMEDIATE")
    return other
  }

  /// An engine with a list whose pictures are on their way.
  private func downloading(_ count: Int) async throws -> (Engine, RecordID) {
    for number in 1...count {
      lab.web.serve(Lab.url(number), .file(Lab.image(number)).held(by: gate))
    }
    lab.serveImages(1...count)
    let engine = try await lab.started()
    let record = try #require(try await engine.add(Lab.request()).records.first)
    try await gate.untilWaiting(count)
    return (engine, record)
  }

  @Test(
    "A lock of another process delays a batch and loses nothing; the status is answered meanwhile")
  func delaysBatch() async throws {
    let (engine, _) = try await downloading(5)
    let other = try lock()
    gate.open()
    try await clock.untilSomeoneSleeps(for: ForeignLock.interval)
    try await engine.until { !$0.transfers.isAnyRunning }
    #expect(await !engine.status().isIdle)
    #expect(try await lab.disk.totals().queued == 5)
    for _ in 0..<10 {
      try await clock.advanceToNextWake()
      #expect(await engine.status().progress.finished == 0)
    }
    try other.execute("ROLLBACK")
    clock.run()
    try await engine.waitUntilIdle()
    #expect(try await lab.disk.totals().finished == 5)
    #expect(lab.web.requests.count == 6)
    await engine.stop()
    try await lab.checkLibrary()
    await lab.disk.close()
  }

  @Test("Verbs wait for a lock of another process, and are done when it is gone")
  func delaysVerbs() async throws {
    let (engine, record) = try await downloading(3)
    let other = try lock()
    async let priority: Void = engine.setPriority(.high, of: record)
    async let paused = engine.pause(record)
    try await clock.untilSomeoneSleeps(for: ForeignLock.interval)
    #expect(await engine.status().active == 3)
    try other.execute("ROLLBACK")
    clock.run()
    #expect(try await paused == 3)
    try await priority
    let row = try #require(try await lab.disk.record(record))
    #expect(row.isPaused && row.priority == .high)
    await engine.stop()
    await lab.disk.close()
  }

  @Test("A verb that waits too long for a lock fails as locked, and the engine goes on")
  func verbGivesUp() async throws {
    let (engine, record) = try await downloading(3)
    let other = try lock()
    clock.run()
    let error = await #expect(throws: LibraryError.self) { try await engine.pause(record) }
    #expect(error?.code == .locked)
    #expect(error?.detail == "\(lab.layout.internals)/library.sqlite: locked by another process")
    #expect(await engine.run { $0.lifecycle.failure } == nil)
    try other.execute("ROLLBACK")
    gate.open()
    try await engine.waitUntilIdle()
    #expect(try await lab.disk.totals().finished == 3)
    await engine.stop()
    try await lab.checkLibrary()
    await lab.disk.close()
  }

  @Test("A lock that another process keeps ends the engine as locked, and the next one goes on")
  func batchGivesUp() async throws {
    let (engine, _) = try await downloading(3)
    let other = try lock()
    gate.open()
    clock.run()
    let error = await #expect(throws: LibraryError.self) { try await engine.waitUntilIdle() }
    #expect(error?.code == .locked)
    #expect(error?.detail == "\(lab.layout.internals)/library.sqlite: locked by another process")
    try other.execute("ROLLBACK")
    await engine.stop()
    lab.newProcess()
    try await (try await lab.started()).finished()
    #expect(try await lab.disk.totals().finished == 3)
    try await lab.checkLibrary()
    await lab.disk.close()
  }
}

extension Engine {
  /// Works until nothing is left, and stops.
  fileprivate func finished() async throws {
    try await waitUntilIdle()
    await stop()
  }
}
