import LibraryAPI
import Models
import Persistence
import ProgressTree
import Testing
import TestSupport
@testable import Engine

/// What is committed together is written in parts, so that no turn is long.
@Suite(.timeLimit(.minutes(60))) struct BatchTests {
  /// Has so many resources wait for one transfer, and lets it end: they are committed together.
  private func deliver(_ count: Int, _ lab: Lab, _ engine: Engine) async throws {
    let gate = Gate()
    lab.web.serve("http://h/same.png", FakeAnswer.file(Lab.image(1)).held(by: gate))
    lab.serveList(Array(repeating: "http://h/same.png", count: count))
    try await engine.start()
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting()
    try await engine.until { stages in
      stages.transfers.scheduler.active.transfers.values.contains {
        $0.job.subscribers.count == count
      }
    }
    gate.open()
  }

  private func stored(_ changes: [ResourceChange]) -> Int {
    changes.count { if case .stored = $0 { true } else { false } }
  }

  private func finished(_ changes: [ResourceChange]) -> Int {
    changes.count { if case .finished = $0 { true } else { false } }
  }

  @Test("No turn writes all rows of a large batch, and a batch waits for the disk once")
  func boundedTurns() async throws {
    let lab = try Lab()
    lab.settings.durability = .full
    lab.settings.rendering.thumbnails = false
    let engine = try await lab.open()
    try await deliver(600, lab, engine)
    try await engine.waitUntilIdle()
    await engine.stop()
    let applied = lab.store.applied
    for rows in [applied.map { stored($0.changes) }, applied.map { finished($0.changes) }] {
      #expect(rows.reduce(0, +) == 600)
      #expect(rows.allSatisfy { $0 <= 256 })
    }
    // One for the rows of the source, and one after each of the two batches.
    #expect(lab.store.commits.count { $0 == .sync } == 3)
    #expect(try await lab.records().map(\.counts.finished) == [600])
    try await lab.checkLibrary()
  }

  @Test("Nothing of a batch is told before all of it is on the disk, and nothing is lost")
  func toldWhenDurable() async throws {
    let lab = try Lab()
    lab.settings.durability = .full
    lab.settings.rendering.thumbnails = false
    let engine = try await lab.open { _, changes, _ in
      // The last of its parts.
      changes.contains { if case .finished(ResourceID(4), _, _) = $0 { true } else { false } }
        ? .dieBefore : .pass
    }
    await engine.writeParts(of: 1)
    let recorder = await EventRecorder(engine)
    try await deliver(4, lab, engine)
    await #expect(throws: LibraryError.self) { try await engine.waitUntilIdle() }
    await engine.stop()
    #expect(lab.store.applied.map { finished($0.changes) }.reduce(0, +) >= 3)
    let told = recorder.kinds.filter { if case .finished = $0 { true } else { false } }
    #expect(told.isEmpty)
    #expect(engine.snapshot().finished == 0)
    lab.newProcess()
    let next = try await lab.started()
    try await next.waitUntilIdle()
    await next.stop()
    #expect(lab.web.requests.isEmpty)
    #expect(try await lab.records().map(\.counts.finished) == [4])
    try await lab.checkLibrary()
  }
}
