import Glibc
import LibraryAPI
import ProgramSupport
import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP instead of ``EarlySignals``: the first signal stops the program cleanly, the
/// second one immediately.
///
/// A signal that is ignored when the program starts (`nohup`, a background job of a shell) remains ignored.
final class Interrupts: Sendable {
  private let state: State
  private let signals: SignalPipe

  var wasInterrupted: Bool { state.wasInterrupted }

  /// - Throws: `SystemError`, if the process has too many open files.
  init() throws {
    let state = State()
    self.state = state
    signals = try SignalPipe(EarlySignals.numbers.filter { !EarlySignals.isIgnored($0) }) { _ in
      state.handleSignal()
    }
  }

  /// Runs `body` in a task. An interrupt, even an earlier one, cancels the task and calls `onInterrupt`,
  /// which must make `body` return.
  func during<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value,
    onInterrupt: @escaping @Sendable () async -> Void = {}
  ) async throws -> Value {
    let task = Task { try await body() }
    let stop: @Sendable () async -> Void = {
      task.cancel()
      await onInterrupt()
    }
    state.set(stop)
    defer { state.set(nil) }
    if wasInterrupted { await stop() }
    return try await task.value
  }
}

/// The signals that have arrived, and the action of the first one.
private final class State: Sendable {
  private let count = Atomic<Int>(0)
  private let handler = Mutex<(@Sendable () async -> Void)?>(nil)

  var wasInterrupted: Bool { count.load(ordering: .acquiring) > 0 }

  /// The function must not be inlined: see "Traps" in Documentation/Concurrency.md.
  @inline(never)
  func set(_ new: (@Sendable () async -> Void)?) {
    handler.withLock { $0 = new }
  }

  func handleSignal() {
    guard count.add(1, ordering: .acquiringAndReleasing).newValue == 1 else {
      // The first signal may not have had the time to end such a program, or to print its own message.
      DependentProgram.endAll {
        Console.printLastError("interrupted again; ended at once")
        _exit(ExitCode.interrupted.rawValue)
      }
    }
    if let handler = handler.withLock({ $0 }) { Task { await handler() } }
  }
}

extension ProgramFailure {
  /// Whether an error is worth a message after an interrupt. Those of the engine say no more than that there was one,
  /// unless a reset was the cause.
  static func isWorthTelling(_ error: any Error) -> Bool {
    error is ProgramFailure || ProgramFailure(wrapping: error).code != .interrupted
      || error as? LibraryError == .wasReset
  }
}
