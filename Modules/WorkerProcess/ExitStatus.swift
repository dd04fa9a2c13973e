import CLinux

/// The way in which a process ended.
public enum ExitStatus: Sendable, Equatable, CustomStringConvertible {
  case code(Int32)
  case signal(Int32)
  /// The status is unknown, because other code has reaped or detached the process.
  case unknown

  init(waitStatus: Int32) {
    if imgdl_has_exited(waitStatus) != 0 {
      self = .code(imgdl_exit_code(waitStatus))
    } else {
      self = .signal(imgdl_exit_signal(waitStatus))
    }
  }

  public var isSuccess: Bool { self == .code(0) }

  /// A description such as "exited with code 3" or "killed by signal 9 (SIGKILL)".
  public var description: String {
    switch self {
    case .code(let code): return "exited with code \(code)"
    case .signal(let signal):
      guard let name = imgdl_signal_name(signal) else { return "killed by signal \(signal)" }
      return "killed by signal \(signal) (SIG\(String(cString: name)))"
    case .unknown: return "ended"
    }
  }
}
