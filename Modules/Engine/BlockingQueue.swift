import Dispatch

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
}
