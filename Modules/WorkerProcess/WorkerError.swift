public import SystemCalls

/// The reason why a helper program, or the communication with it, failed.
public struct WorkerError: Error, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The program is in none of the folders that are searched.
    case notFound
    /// The program exists but cannot be started.
    case cannotStart
    /// The process ended, or closed its socket.
    case died
    /// A deadline passed. The process may still be working; the caller kills it.
    case timedOut
    /// The helper has used up the processor time of its work, or the kernel has ended it for that (SIGXCPU). In
    /// the first case the process is still working; the caller kills it.
    case processorTime
    /// The other end violated the format: a frame that is too long or incomplete, or contents that cannot be
    /// parsed.
    case malformed
    /// A system call failed unexpectedly.
    case system
  }

  public let code: Code
  /// The reason as one sentence for users; control characters are escaped.
  public let description: String
  /// The exit status of the process, for `.died`.
  public let exit: ExitStatus?
  public let systemError: SystemError?

  public init(
    _ code: Code, _ description: String, exit: ExitStatus? = nil, systemError: SystemError? = nil
  ) {
    self.code = code
    self.description = description
    self.exit = exit
    self.systemError = systemError
  }

  static func system(_ error: SystemError) -> WorkerError {
    WorkerError(.system, error.description, systemError: error)
  }

  static func malformed(_ what: String) -> WorkerError {
    WorkerError(.malformed, "the other end of a helper's connection sent \(what)")
  }
}
