@testable import Engine

/// Waits for what no event tells, by looking again and again; ends when the test's time is over. And what
/// else only tests do.
extension Engine {
  /// So many callers wait for single resources.
  func untilCallers(_ count: Int) async throws {
    try await until { $0.context.standalone.waiterCount >= count }
  }

  /// So many resources wait in memory.
  func untilWaiting(_ count: Int) async throws {
    try await until { $0.transfers.scheduler.waitingCount >= count }
  }

  /// From now on a turn writes so many rows of a batch, not as many as there is time for.
  func writeParts(of rows: Int) { stages.commits.setPartSizes(rows...rows) }

  func until(_ isMet: @Sendable (Stages) -> Bool) async throws {
    while !isMet(stages) {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
