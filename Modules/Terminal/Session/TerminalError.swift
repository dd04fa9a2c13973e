public import SystemCalls

/// An error that prevents the use of the terminal.
public struct TerminalError: Error, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The process has no terminal: input and output are files or pipes, and /dev/tty cannot be opened.
    case noTerminal
    /// The terminal cannot move its cursor (`TERM=dumb`).
    case cannotDraw
    /// A system call failed unexpectedly.
    case system
  }

  public let code: Code
  public let cause: SystemError?

  init(_ code: Code, cause: SystemError? = nil) {
    self.code = code
    self.cause = cause
  }

  public var description: String {
    switch code {
    case .noTerminal:
      "there is no terminal to draw on" + (cause.map { " (\($0))" } ?? "")
    case .cannotDraw: "this terminal cannot draw a screen (TERM=dumb)"
    case .system: cause.map { "\($0)" } ?? "the terminal failed"
    }
  }
}
