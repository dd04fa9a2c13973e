import LibraryAPI
import Testing

@testable import Composition

/// When an engine that could not continue is replaced.
@Suite struct EngineRestartsTests {
  private func full(_ needed: Int64?) -> LibraryError {
    LibraryError(.diskFull, "the disk is full", neededBytes: needed)
  }

  @Test("The delay is doubled up to the most, until a resource is finished")
  func delays() {
    var restarts = EngineRestarts(first: 5, most: 60)
    let delays = (0..<6).map { _ in restarts.failed(LibraryError(.store, "damaged")) }
    #expect(delays == [5, 10, 20, 40, 60, 60])
    #expect(restarts.mayRestart(free: 0))
    restarts.progressed()
    #expect(restarts.failed(full(1)) == 5)
    #expect((0..<5).map { _ in restarts.nextDelay() } == [10, 20, 40, 60, 60])
  }

  @Test("The last failure is known until there is progress")
  func lastFailure() {
    var restarts = EngineRestarts(first: 5, most: 60)
    #expect(restarts.failure == nil)
    _ = restarts.failed(full(1))
    restarts.began(free: 2)
    #expect(restarts.failure == full(1))
    restarts.progressed()
    #expect(restarts.failure == nil)
  }

  @Test("On a full disk the next engine waits until more is free than was missing")
  func missing() {
    var restarts = EngineRestarts(first: 5, most: 60)
    _ = restarts.failed(full(1_000))
    #expect(!restarts.mayRestart(free: 1_000) && restarts.mayRestart(free: 1_001))
    // Where the free space is not known, only time tells.
    #expect(restarts.mayRestart(free: nil))
  }

  @Test("An engine that finished nothing is followed only when more is free than it had")
  func noProgress() {
    var restarts = EngineRestarts(first: 5, most: 60)
    restarts.began(free: 5_000)
    _ = restarts.failed(full(1_000))
    #expect(!restarts.mayRestart(free: 5_000) && restarts.mayRestart(free: 5_001))
    restarts.began(free: 5_001)
    restarts.progressed()
    _ = restarts.failed(full(1_000))
    #expect(restarts.mayRestart(free: 1_001))
  }
}
