import CLinux
import Glibc
import Synchronization
package import SystemCalls

/// A thread outside the cooperative pool, for work that blocks.
///
/// All signals except those of faults are blocked on the thread: a broken pipe in a C library becomes an
/// error instead of ending the program, and other threads of the program handle the signals from the
/// terminal.
package final class BlockingThread: Sendable {
  private let handle: Mutex<pthread_t?>

  private final class Start {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      // The kernel keeps at most 15 bytes of a thread's name.
      self.name = String(name.prefix(15))
      self.body = body
    }
  }

  /// Starts a thread that runs `body` and then ends. Only a holder of this object can wait for the thread's
  /// end.
  /// - Parameter name: The name for `top` and `perf`, truncated to 15 characters.
  @discardableResult
  package init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(name, body))
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        // Signals of faults stay unblocked: a fault whose signal is blocked ends the process without running
        // the handler that restores the terminal. Threads that this thread starts, such as workers of
        // Dispatch, inherit the mask.
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT] {
          sigdelset(&signals, fault)
        }
        pthread_sigmask(SIG_SETMASK, &signals, nil)
        imgdl_name_thread(start.name)
        start.body()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw SystemError(errno: code, call: "start the thread", path: name)
    }
    handle = Mutex(thread)
  }

  /// Blocks until the thread has ended. Call it at most once, and never on the thread itself.
  package func join() {
    let thread = handle.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if let thread { pthread_join(thread, nil) }
  }

  deinit {
    // The thread was not joined, so the system releases it when it ends.
    handle.withLock { thread in if let thread { _ = pthread_detach(thread) } }
  }

  /// Runs one blocking call on a new thread and suspends the caller until the call has returned.
  @concurrent
  package static func run<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      do throws(SystemError) {
        try BlockingThread(name) { continuation.resume(with: Result(catching: body)) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
