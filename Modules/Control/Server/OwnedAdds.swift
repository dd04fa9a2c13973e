import LibraryAPI
import Synchronization

/// Calls that add sources on behalf of the server instead of the requesting connection: they continue when
/// the connection closes, and are cancelled when the server stops.
final class OwnedAdds: Sendable {
  private struct State {
    var tasks: [UInt64: Task<AddResult, any Error>] = [:]
    var lastNumber: UInt64 = 0
    var isStopping = false
  }

  private let state = Mutex(State())

  /// Runs `add` in a task that is not cancelled when the caller is cancelled.
  func run(_ add: @escaping @Sendable () async throws -> AddResult) async throws -> AddResult {
    let (number, task) = start(add)
    defer { remove(number) }
    return try await task.value
  }

  /// Cancels every add, and returns once none of them is running.
  func stop() async {
    let tasks = refuseFurther()
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
  }

  private func refuseFurther() -> [Task<AddResult, any Error>] {
    state.withLock { state in
      state.isStopping = true
      return Array(state.tasks.values)
    }
  }

  private func start(
    _ add: @escaping @Sendable () async throws -> AddResult
  ) -> (UInt64, Task<AddResult, any Error>) {
    let task = Task.detached { try await add() }
    let (number, isStopping) = state.withLock { state in
      state.lastNumber += 1
      state.tasks[state.lastNumber] = task
      return (state.lastNumber, state.isStopping)
    }
    if isStopping { task.cancel() }
    return (number, task)
  }

  private func remove(_ number: UInt64) {
    state.withLock { $0.tasks[number] = nil }
  }
}
