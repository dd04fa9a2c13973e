import Synchronization

/// A value that tests change from one side and wait for on the other.
public final class Watched<Value: Sendable>: Sendable {
  private struct Waiter: Sendable {
    let isMet: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State: Sendable {
    var value: Value
    var waiters: [UInt64: Waiter] = [:]
    var lastWaiter: UInt64 = 0
  }

  private let state: Mutex<State>

  public init(_ value: Value) { state = Mutex(State(value: value)) }

  public var value: Value { state.withLock { $0.value } }

  /// Changes the value and wakes the tasks that wait for the new value.
  @discardableResult
  public func update<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
    let (result, met) = state.withLock { state in
      let result = body(&state.value)
      let value = state.value
      let met = state.waiters.filter { $0.value.isMet(value) }
      for key in met.keys { state.waiters[key] = nil }
      return (result, Array(met.values))
    }
    for waiter in met { waiter.continuation.resume(returning: true) }
    return result
  }

  /// Returns once the value is such; throws when the task is cancelled.
  @concurrent
  public func until(_ isMet: @escaping @Sendable (Value) -> Bool) async throws {
    let key = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let isThere = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if isMet(state.value) { return true }
          if Task.isCancelled { return false }
          state.waiters[key] = Waiter(isMet: isMet, continuation: continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: key) }?.continuation.resume(returning: false)
    }
    if !isThere { throw CancellationError() }
  }
}
