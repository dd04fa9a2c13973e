import Models
import Threading
import Transport

/// A command from another thread to a loop.
enum LoopCommand {
  case start(Transfer)
  case cancel(UInt64)
  /// The lookup for the connection attempt with this token has ended.
  case resolved(UInt64, IPAddress.Family, Result<[ResolvedAddress], ResolveError>)
  /// The budget has assigned a permit to this loop, which waited for one.
  case permit
  /// Another loop has no descriptor left; close an idle connection.
  case closeIdle
  /// The last command. The loop's thread resumes the continuation just before it ends.
  case stop(CheckedContinuation<Void, Never>?)
}

/// Passes commands from any thread to a loop's thread, in order. Callbacks from other threads refer
/// to the mailbox instead of the loop.
final class LoopMailbox: Sendable {
  private let mailbox: Mailbox<LoopCommand>

  /// - Parameter wakeUp: The descriptor that wakes the loop's thread.
  init(wakeUp: WakeUp) { mailbox = Mailbox(wakeUp: wakeUp) }

  func submit(_ command: LoopCommand) {
    if !mailbox.post(command) { refuse(command) }
  }

  /// Exchanges the pending commands for an empty array; returns false if none is pending. Only the
  /// loop's thread calls this method.
  func drain(into commands: inout [LoopCommand]) -> Bool { mailbox.drain(into: &commands) }

  /// Reports that the loop is awake for another reason and will drain the mailbox before it waits.
  func receiverIsAwake() { mailbox.receiverIsAwake() }

  /// Refuses all pending and all later commands.
  func close() { mailbox.close().forEach(refuse) }

  private func refuse(_ command: LoopCommand) {
    switch command {
    case .start(let transfer): transfer.complete(.failure(transfer.stopped))
    case .stop(let continuation): continuation?.resume()
    case .cancel, .resolved, .permit, .closeIdle: break
    }
  }
}
