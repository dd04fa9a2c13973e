import CLinux
import Glibc

/// A thread outside the cooperative pool, for work that blocks.
public enum DetachedThread {
  /// Runs `body` on a new thread, which ends with it. Signals of the terminal stay with the others.
  /// - Parameter name: for `top` and `perf`; 15 characters at most are kept.
  public static func start(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let job = Unmanaged.passRetained(Job(name: name, body: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument {
          let job = Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
          imgdl_name_thread(job.name)
          job.body()
        }
        return nil
      }, job.toOpaque())
    guard code == 0 else {
      job.release()
      throw SystemError(errno: code, call: "start the thread", path: name)
    }
    pthread_detach(thread)
  }

  private final class Job {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = String(name.prefix(15))
      self.body = body
    }
  }
}
