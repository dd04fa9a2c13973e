import Dispatch
import Glibc
import LibraryAPI
import ProgramSupport
import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP instead of ``EarlySignals``: the first signal stops the program cleanly, the
/// second one immediately.
///
/// A signal that is ignored when the program starts (`nohup`, a background job of a shell) remains ignored.
final class Interrupts: Sendable {
  private let count = Atomic<Int>(0)
  private let handler = Mutex<(@Sendable () async -> Void)?>(nil)
  private let sources: SignalSources

  var wasInterrupted: Bool { count.load(ordering: .acquiring) > 0 }

  init() {
    sources = SignalSources(EarlySignals.numbers.filter { !EarlySignals.isIgnored($0) })
    sources.activate { [weak self] in self?.handleSignal() }
  }

  private func handleSignal() {
    guard count.add(1, ordering: .acquiringAndReleasing).newValue == 1 else {
      // The first signal may not have had the time to end such a program, or to print its own message.
      DependentProgram.endAll {
        Console.printLastError("interrupted again; ended at once")
        _exit(ExitCode.interrupted.rawValue)
      }
    }
    if let handler = handler.withLock({ $0 }) { Task { await handler() } }
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
    set(stop)
    defer { set(nil) }
    if wasInterrupted { await stop() }
    return try await task.value
  }

  /// The function must not be inlined: see "Traps" in Documentation/Concurrency.md.
  @inline(never)
  private func set(_ new: (@Sendable () async -> Void)?) {
    handler.withLock { $0 = new }
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

/// Delivers signals on a dispatch queue instead of in a signal handler.
///
/// @unchecked Sendable: the list never changes after `init`, and dispatch sources may be used from any
/// thread.
private final class SignalSources: @unchecked Sendable {
  private let sources: [any DispatchSourceSignal]

  init(_ numbers: [Int32]) {
    let queue = DispatchQueue(label: "imgdl.signals")
    sources = numbers.map { number in
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
  }

  func activate(_ handler: @escaping @Sendable () -> Void) {
    for source in sources {
      source.setEventHandler(handler: handler)
      source.activate()
    }
  }
}
