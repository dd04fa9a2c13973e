import SystemCalls

/// Blocking work on a thread of its own, not on one of the few that tasks share.
enum OffPool {
  static func run<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try DetachedThread.start(name) { continuation.resume(with: Result(catching: body)) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
