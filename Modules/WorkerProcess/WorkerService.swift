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
/// A helper exits when its socket is closed, that is, when the program that started it has ended or has
/// closed the connection. (`PR_SET_PDEATHSIG` would fire when the *thread* that started it ends.)
public enum WorkerService {
  /// The exit code of a helper that a user has started (EX_USAGE).
  public static let usageExitCode: Int32 = 64
  /// The exit code of a helper without memory for its work (EX_OSERR).
  public static let memoryExitCode: Int32 = 71
  /// The exit code of a helper whose connection failed or received a malformed frame (EX_PROTOCOL).
  public static let protocolExitCode: Int32 = 76

  /// Returns the connection with which the helper was started. Also ignores SIGPIPE. Must be called once,
  /// before any other use of the connection.
  /// - Returns: The connection; nil if descriptor 3 is not a socket, because a user has started the helper.
  public static func connection(limits: FrameLimits = FrameLimits()) -> WorkerConnection? {
    signal(SIGPIPE, SIG_IGN)
    let raw = WorkerProgram.socketDescriptor
    var information = stat()
    guard fstat(raw, &information) == 0, information.st_mode & S_IFMT == S_IFSOCK,
      fcntl(raw, F_SETFD, FD_CLOEXEC) == 0
    else { return nil }
    return WorkerConnection(OwnedDescriptor(raw), limits: limits)
  }

  /// Answers frames one after the other on the calling thread, until the socket is closed.
  ///
  /// Between two calls of `answer` the loop uses recvmsg, sendmsg, poll, close and memory, all of which a
  /// sandbox must permit.
  /// - Parameter answer: Returns the reply, or nil for a frame that has none. An error ends the helper and is
  ///   written to standard error.
  /// - Returns: The exit code for the program.
  public static func run(
    limits: FrameLimits = FrameLimits(), _ answer: (Frame) throws -> Frame?
  ) -> Int32 {
    guard let connection = connection(limits: limits) else {
      printError("this program is a part of imgdl and is started by it")
      return usageExitCode
    }
    return serve(connection, answer)
  }

  /// Answers frames like `run`, on an existing connection.
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
