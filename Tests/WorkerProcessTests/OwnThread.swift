import Glibc

/// Runs blocking work of a test outside the cooperative pool.
enum OwnThread {
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let box = Unmanaged.passRetained(Job { continuation.resume(with: Result(catching: body)) })
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { job in
          if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().body() }
          return nil
        }, box.toOpaque())
      pthread_detach(thread)
    }
  }

  private final class Job {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
}
