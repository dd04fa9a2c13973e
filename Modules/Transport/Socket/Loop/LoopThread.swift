import CLinux
import Glibc
import Synchronization
import SystemCalls

/// A thread of this module: all signals blocked, so that a broken pipe inside OpenSSL is an error
/// and not the end of the program, and so that signals go to the program's own threads.
final class LoopThread: Sendable {
  private let handle: Mutex<pthread_t?>

  private final class Start {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// - Parameter name: at most 15 characters.
  init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(name, body))
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
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

  /// Waits until the thread has ended. Call it at most once, and never on the thread itself.
  func join() {
    let thread = handle.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if let thread { pthread_join(thread, nil) }
  }

  deinit {
    // Nobody has waited for it: its memory goes when it ends.
    handle.withLock { thread in if let thread { _ = pthread_detach(thread) } }
  }
}
