import CLinux
import Glibc
import Synchronization
import SystemCalls

/// Brings commands from any thread to the loop, and wakes it.
final class Mailbox: Sendable {
  enum Command: Sendable {
    case perform(Submission)
    case cancel(UInt64)
    /// The last command. The loop cancels everything, stops the helpers and then resumes it.
    case shutdown(CheckedContinuation<Void, Never>?)
  }

  private struct State {
    var commands: [Command] = []
    var isClosed = false
    var hasLoop = false
  }

  private let state = Mutex(State())
  private let signal: OwnedDescriptor

  init() throws(SystemError) {
    signal = OwnedDescriptor(eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)))
    guard signal.isOpen else { throw .last("create an event descriptor") }
  }

  /// For poll(2): readable when there are commands.
  var raw: Int32 { signal.raw }

  enum Outcome { case delivered, delivererStartsLoop, closed }

  /// Leaves a command.
  /// - Returns: `.delivererStartsLoop` to the first request, `.closed` after a shutdown: then
  ///   the command is not taken.
  func post(_ command: Command) -> Outcome {
    let outcome: Outcome = state.withLock { state in
      guard !state.isClosed else { return .closed }
      switch command {
      case .perform: break
      case .cancel:
        // Nothing has begun: there is nothing to cancel.
        guard state.hasLoop else { return .delivered }
      case .shutdown:
        state.isClosed = true
        // Nobody runs, and nobody will: the caller need not wait.
        guard state.hasLoop else { return .closed }
      }
      state.commands.append(command)
      defer { state.hasLoop = true }
      return state.hasLoop ? .delivered : .delivererStartsLoop
    }
    if outcome != .closed { wake() }
    return outcome
  }

  func take() -> [Command] {
    var counter: UInt64 = 0
    _ = read(signal.raw, &counter, 8)
    return state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// The loop could not be started: nobody will read any more.
  func close() -> [Command] {
    state.withLock { state in
      state.isClosed = true
      defer { state.commands = [] }
      return state.commands
    }
  }

  private func wake() {
    var one: UInt64 = 1
    _ = write(signal.raw, &one, 8)
  }
}
