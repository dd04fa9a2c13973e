import SystemCalls
import WorkerProcess

/// Shell scripts that tests start in place of a program.
public enum ShellScript {
  public struct CannotWrite: Error {
    let path: String
  }

  /// Writes a script that can be started at once.
  ///
  /// A child process writes the file. If this process did, a process that another test starts at the same
  /// moment would inherit the descriptor until it calls `execve`, and as long as the file is open for writing
  /// its own start fails with `ETXTBSY`.
  public static func write(_ script: String, to path: String) throws {
    let shell = try ChildProcess(
      ProcessLaunch(
        path: "/bin/sh",
        arguments: ["-c", #"printf '%s\n' "$1" >"$2" && chmod 755 "$2""#, "sh", script, path]))
    guard shell.wait(before: .never)?.status == .code(0) else { throw CannotWrite(path: path) }
  }
}
