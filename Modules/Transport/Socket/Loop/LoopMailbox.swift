import Models
import Threading
import Transport

/// A request of another thread to a loop.
enum LoopCommand {
  case start(Transfer)
  case cancel(UInt64)
  /// A look-up for the connection attempt with this token has ended.
  case resolved(UInt64, IPAddress.Family, Result<[ResolvedAddress], ResolveError>)
  /// The budget has a permit for a connection that this loop waits for.
  case permit
  /// Another loop has no descriptor left.
  case closeIdle
  /// The last command. The thread resumes the continuation as its last act.
  case stop(CheckedContinuation<Void, Never>?)
}

/// Brings commands to a loop's thread, from any thread and in order. The loop's components hold the
/// mailbox, not the loop, to be called back by other threads.
final class LoopMailbox: Sendable {
  private let mailbox: Mailbox<LoopCommand>

  /// - Parameter wakeUp: what the loop's thread waits for.
  init(wakeUp: WakeUp) { mailbox = Mailbox(wakeUp: wakeUp) }

  func submit(_ command: LoopCommand) {
    if !mailbox.post(command) { refuse(command) }
  }

  /// Exchanges the commands for an empty array; see `Mailbox`. Only the loop calls this.
  func drain(into commands: inout [LoopCommand]) -> Bool { mailbox.drain(into: &commands) }

  /// The loop is awake for another reason, and will drain before it waits.
  func receiverIsAwake() { mailbox.receiverIsAwake() }

  /// Refuses the commands that are left, and all that come later.
  func close() { mailbox.close().forEach(refuse) }

  private func refuse(_ command: LoopCommand) {
    switch command {
    case .start(let transfer): transfer.finish(.failure(transfer.stopped))
    case .stop(let continuation): continuation?.resume()
    case .cancel, .resolved, .permit, .closeIdle: break
    }
  }
}
