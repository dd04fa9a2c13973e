import Glibc
import SystemCalls

/// The main loop of a helper program.
///
///     @main enum Program {
///       static func main() {
///         exit(WorkerService.run { frame in try answer(frame) })
///       }
///     }
///
/// A helper ends when its socket ends, that is when the program that started it is gone or has
/// closed the connection. (`PR_SET_PDEATHSIG` would fire when the *thread* that spawned it ends.)
public enum WorkerService {
  /// Exit code of a helper that was started by hand (EX_USAGE).
  public static let usageExitCode: Int32 = 64
  /// Exit code of a helper whose connection broke or spoke nonsense (EX_PROTOCOL).
  public static let protocolExitCode: Int32 = 76

  /// The connection that the helper was started with. Call it once, before anything else: it also
  /// ignores SIGPIPE.
  /// - Returns: nil if descriptor 3 is not a socket, because the helper was started by hand.
  public static func connection(limits: FrameLimits = FrameLimits()) -> WorkerConnection? {
    signal(SIGPIPE, SIG_IGN)
    let raw = WorkerProgram.socketDescriptor
    var information = stat()
    guard fstat(raw, &information) == 0, information.st_mode & S_IFMT == S_IFSOCK,
      fcntl(raw, F_SETFD, FD_CLOEXEC) == 0
    else { return nil }
    return WorkerConnection(OwnedDescriptor(raw), limits: limits)
  }

  /// Answers frames one after the other on this thread until the socket ends.
  ///
  /// Between two calls of `answer` it uses recvmsg, sendmsg, poll, close and memory: what a sandbox
  /// must allow.
  /// - Parameter answer: returns the answer, or nil for a frame that wants none. An error ends the
  ///   helper, with its text as the last words.
  /// - Returns: the exit code for the program.
  public static func run(
    limits: FrameLimits = FrameLimits(), _ answer: (Frame) throws -> Frame?
  ) -> Int32 {
    guard let connection = connection(limits: limits) else {
      printError("this program is a part of imgdl and is started by it")
      return usageExitCode
    }
    return serve(connection, answer)
  }

  /// The same as `run` on an existing connection.
  public static func serve(
    _ connection: WorkerConnection, _ answer: (Frame) throws -> Frame?
  ) -> Int32 {
    do {
      while let frame = try connection.receive() {
        if let reply = try answer(frame) { try connection.send(reply) }
      }
      return 0
    } catch let error as WorkerError where error.code == .died {
      return 0
    } catch {
      printError("\(error)")
      return protocolExitCode
    }
  }

  /// Writes a line to standard error, without buffering.
  public static func printError(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
