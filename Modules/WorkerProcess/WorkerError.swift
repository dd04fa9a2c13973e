public import SystemCalls

/// The reason why a helper program, or the communication with it, failed.
public struct WorkerError: Error, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The program is not in any of the places where it belongs.
    case notFound
    /// The program is there and cannot be started.
    case cannotStart
    /// The process ended, or closed its socket.
    case died
    /// A deadline passed. The process may still be working; the caller kills it.
    case timedOut
    /// The other side broke the format: a frame too long, cut, or with contents that do not parse.
    case malformed
    /// A call to the kernel failed that should not.
    case system
  }

  public let code: Code
  /// One sentence for people; control characters escaped.
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
    WorkerError(.malformed, "the other side of a helper's connection sent \(what)")
  }
}
