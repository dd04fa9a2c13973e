import Models
import Persistence
import Synchronization
import SystemCalls
import TestSupport
import Testing

@testable import Engine

/// Resources during whose processing an engine ended are processed alone, after all others; they never fail for it.
@Suite(.timeLimit(.minutes(60))) struct QuarantineTests {
  /// Runs an engine whose renderer stands still, and ends the process when so many calls wait.
  private func die(_ lab: Lab, withCalls count: Int) async throws -> [String] {
    lab.newProcess()
    lab.renderer.hold()
    let engine = try await lab.started()
    try await lab.renderer.untilHeld(count)
    let attempted = lab.renderer.attempted
    lab.store.die()
    await engine.stop()
    return attempted
  }

  private func addedAndKilled(_ lab: Lab) async throws {
    lab.serveImages(1...5)
    lab.settings.rendering.workers = 2
    lab.renderer.hold()
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await lab.renderer.untilHeld(3)
    try await lab.untilCommitted { $0.fetched == 5 }
    lab.store.die()
    await engine.stop()
  }

  @Test(
    "However often engines end while they process a file, it is processed in the end, after all others"
  )
  func endsOften() async throws {
    let lab = try Lab()
    try await addedAndKilled(lab)
    let suspects = try await lab.disk.pageWork().filter(\.isRunning)
    #expect(suspects.count >= 3)
    // At most two resources were not being processed. Two ends of engines make suspects of these as well.
    for _ in 0..<2 { _ = try await die(lab, withCalls: 1) }
    // Suspects are processed one at a time.
    for _ in 0..<4 {
      let attempted = try await die(lab, withCalls: 1)
      #expect(attempted.count == 1)
    }
    lab.newProcess()
    let engine = try await lab.started()
    try await engine.waitUntilIdle()
    #expect(try await lab.allResources().allSatisfy { $0.state == .finished })
    #expect(lab.web.requests.isEmpty)
    await engine.stop()
    #expect(try await lab.disk.pageWork() == [])
    try await lab.checkLibrary()
  }

  @Test(
    "What an earlier version failed for the ends of engines is processed by a retry, without a request"
  )
  func failedEarlier() async throws {
    let lab = try Lab()
    lab.serveImages(1...2)
    try await lab.run()
    let resource = try #require(try await lab.allResources().first)
    try lab.disk.apply([.failed(resource.id, reason: Recovery.endedTwice, pages: [])])
    lab.newProcess()
    let engine = try await lab.started()
    #expect(try await engine.retry() == 1)
    try await engine.waitUntilIdle()
    #expect(lab.web.requests.isEmpty)
    #expect(try await lab.allResources().allSatisfy { $0.state == .finished })
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test("An engine that is stopped, or that ends after the work, leaves no suspect")
  func stopped() async throws {
    let lab = try Lab()
    lab.serveImages(1...5)
    lab.renderer.hold()
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await lab.renderer.untilHeld(2)
    #expect(try await !lab.disk.pageWork().isEmpty)
    await engine.stop()
    #expect(try await lab.disk.pageWork() == [])
    lab.newProcess()
    let next = try await lab.started()
    try await next.waitUntilIdle()
    // Killed with nothing to do: what the store names is done.
    lab.store.die()
    await next.stop()
    lab.newProcess()
    let last = try await lab.started()
    try await last.waitUntilIdle()
    await last.stop()
    #expect(try await lab.disk.pageWork() == [])
    #expect(try await lab.allResources().allSatisfy { $0.state == .finished })
  }

  @Test("A suspect that is processed without harm is one no more")
  func acquitted() async throws {
    let lab = try Lab()
    try await addedAndKilled(lab)
    for _ in 0..<2 {
      lab.newProcess()
      let engine = try await lab.started()
      try await engine.waitUntilIdle()
      await engine.stop()
    }
    #expect(try await lab.disk.pageWork() == [])
    #expect(try await lab.allResources().allSatisfy { $0.state == .finished })
  }

  @Test("A few transactions name many resources")
  func transactions() async throws {
    let lab = try Lab()
    lab.serveImages(1...400)
    // All of them are there before the first is processed.
    lab.renderer.hold()
    let count = Mutex(0)
    let engine = try await lab.open { name, _, _ in
      if name == "setPageWork" { count.withLock { $0 += 1 } }
      return .pass
    }
    try await engine.start()
    _ = try await engine.add(Lab.request())
    try await lab.untilCommitted { $0.fetched == 400 }
    lab.renderer.release()
    try await engine.waitUntilIdle()
    await engine.stop()
    let writes = count.withLock { $0 }
    print("figures: \(writes) transactions name 400 resources")
    #expect(writes < 100)
  }
}
