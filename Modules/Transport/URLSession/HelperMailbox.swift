import Synchronization
import SystemCalls
import Threading

/// Passes commands from any thread to the `HelperLoop`, which is started for the first request.
final class HelperMailbox: Sendable {
  enum Command: Sendable {
    case perform(Submission)
    case cancel(UInt64)
    /// The last command. The loop cancels all transfers, stops the helpers and then resumes the
    /// continuation.
    case shutdown(CheckedContinuation<Void, Never>?)
  }

  private struct State {
    var isShutDown = false
    var hasLoop = false
  }

  private let state = Mutex(State())
  private let mailbox: Mailbox<Command>
  let wakeUp: WakeUp

  init() throws(SystemError) {
    wakeUp = try WakeUp()
    mailbox = Mailbox(wakeUp: wakeUp)
  }

  enum Outcome { case delivered, loopStartNeeded, closed }

  /// Posts a command.
  /// - Returns: `.loopStartNeeded` for the first request; `.closed` after a shutdown, in which
  ///   case the command is dropped.
  func post(_ command: Command) -> Outcome {
    state.withLock { state in
      guard !state.isShutDown else { return .closed }
      switch command {
      case .perform: break
      case .cancel:
        // No loop has been started, so there is no transfer to cancel.
        guard state.hasLoop else { return .delivered }
      case .shutdown:
        state.isShutDown = true
        // No loop runs or will run, so the caller need not wait.
        guard state.hasLoop else { return .closed }
      }
      guard mailbox.post(command) else { return .closed }
      defer { state.hasLoop = true }
      return state.hasLoop ? .delivered : .loopStartNeeded
    }
  }

  /// Returns the commands since the last call. Only the loop calls this, each time before it waits
  /// for `wakeUp`.
  func drain() -> [Command] {
    wakeUp.reset()
    var commands: [Command] = []
    var batch: [Command] = []
    while mailbox.drain(into: &batch) {
      commands += batch
      batch.removeAll(keepingCapacity: true)
    }
    return commands
  }

  /// Closes the mailbox because the loop could not be started, and returns the commands in it.
  func close() -> [Command] { mailbox.close() }
}
