import Screens
import Synchronization

/// The queue of the main loop's inputs: keys, changes of the library, images.
///
/// Any number of tasks may post; one task drains.
final class Inbox: Sendable {
  private struct State {
    var inputs: [Input] = []
    var isClosed = false
    var waiter: CheckedContinuation<Void, Never>?
    /// The number of the current wait, so that a late alarm does not end a later wait.
    var number = 0
  }

  private let state = Mutex(State())

  func post(_ input: Input) {
    let waiter = state.withLock { state in
      state.inputs.append(input)
      return Self.release(&state)
    }
    waiter?.resume()
  }

  /// Closes the inbox, which ends the loop.
  func close() {
    let waiter = state.withLock { state in
      state.isClosed = true
      return Self.release(&state)
    }
    waiter?.resume()
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Removes and returns all inputs; if there are none, waits for the first one for at most `seconds`.
  /// - Parameter seconds: The maximum wait; nil means no limit and no timer.
  func drain(within seconds: Double?) async -> [Input] {
    let now = drainNow()
    if !now.isEmpty || isClosed { return now }
    if let seconds, seconds <= 0 { return [] }
    await wait(seconds)
    return drainNow()
  }

  @inline(never)
  private func drainNow() -> [Input] {
    state.withLock { state in
      defer { state.inputs.removeAll(keepingCapacity: true) }
      return state.inputs
    }
  }

  private func wait(_ seconds: Double?) async {
    await withCheckedContinuation { continuation in
      guard let number = register(continuation) else { return continuation.resume() }
      if let seconds { setAlarm(seconds, number) }
    }
  }

  /// - Returns: The number of the wait; nil if an input has arrived meanwhile or the inbox is closed.
  @inline(never)
  private func register(_ waiter: CheckedContinuation<Void, Never>) -> Int? {
    state.withLock { state in
      guard state.inputs.isEmpty, !state.isClosed else { return nil }
      state.number += 1
      state.waiter = waiter
      return state.number
    }
  }

  private func setAlarm(_ seconds: Double, _ number: Int) {
    FrameTimer.ring(after: seconds) { [self] in
      let waiter = state.withLock { state in
        state.number == number ? Self.release(&state) : nil
      }
      waiter?.resume()
    }
  }

  private static func release(_ state: inout State) -> CheckedContinuation<Void, Never>? {
    defer { state.waiter = nil }
    return state.waiter
  }
}
