import TestSupport

extension ManualClock {
  /// Lets time go on in steps, as long as somebody waits for it, until the body is done.
  func ticking<Result: Sendable>(
    by step: Double, _ body: () async throws -> Result
  ) async throws -> Result {
    let ticker = Task.detached {
      while !Task.isCancelled {
        try await self.untilSomeoneSleeps()
        self.advance(by: step)
        await Task.yield()
      }
    }
    defer { ticker.cancel() }
    return try await body()
  }
}
