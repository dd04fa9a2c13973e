import Dispatch
import Synchronization

/// Runs blocking calls on threads that are not of the cooperative pool.
///
/// Serial: calls run one after another, in the order in which they were made.
final class BlockingQueue: Sendable {
  private let queue: DispatchQueue

  init(_ label: String) {
    queue = DispatchQueue(label: "imgdl.\(label)", qos: .utility)
  }

  @concurrent
  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: body)) }
    }
  }

  /// The same for long work, which looks now and then whether its task was cancelled.
  @concurrent
  func runCancellable<Value: Sendable>(
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

/// Tells a thread that its work is not wanted any more.
final class CancellationFlag: Sendable {
  private let value = Atomic<Bool>(false)

  func set() { value.store(true, ordering: .relaxed) }

  var isSet: Bool { value.load(ordering: .relaxed) }

  func check() throws(CancellationError) {
    if isSet { throw CancellationError() }
  }
}
