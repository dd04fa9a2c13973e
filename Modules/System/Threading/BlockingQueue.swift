import Dispatch
import Synchronization

/// Runs blocking calls on threads outside the cooperative pool.
///
/// Serial: calls run one after another, in the order in which they were made.
package final class BlockingQueue: Sendable {
  private let queue: DispatchQueue

  package init(_ label: String) {
    queue = DispatchQueue(label: "imgdl.\(label)", qos: .utility)
  }

  /// Runs a call on the queue and returns its result to the caller's executor. An error is caught and thrown
  /// again: a function of Swift 6.3 that only propagates an error may return on the executor of the thrower.
  nonisolated(nonsending) package func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    do {
      return try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result(catching: body)) }
      }
    } catch {
      throw error
    }
  }

  /// Queues a call without waiting for it.
  package func start(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Blocks until all calls so far have ended.
  package func finish() { queue.sync {} }

  /// Does the same as `run` for long work, which polls the flag to learn that its task was cancelled.
  @concurrent
  package func runCancellable<Value: Sendable>(
    _ body: @escaping @Sendable (CancellationFlag) throws -> Value
  ) async throws -> Value {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await run {
        try flag.check()
        return try body(flag)
      }
    } onCancel: {
      flag.set()
    }
  }
}

/// Signals to a thread that its work was cancelled.
package final class CancellationFlag: Sendable {
  private let value = Atomic<Bool>(false)

  package func set() { value.store(true, ordering: .relaxed) }

  package var isSet: Bool { value.load(ordering: .relaxed) }

  package func check() throws(CancellationError) {
    if isSet { throw CancellationError() }
  }
}
