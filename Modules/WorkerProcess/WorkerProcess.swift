import Glibc
import SystemCalls

/// A running helper program and the connection to it.
///
/// Blocking, as `WorkerConnection`: it belongs to a thread of its adapter. `kill()` may come from
/// any thread. Letting go of it kills the process and collects its status: no zombie stays.
///
///     let worker = try WorkerProcess(WorkerProgram(path: locator.path(of: "imgdl-render")))
///     let answer = try worker.call(Frame(kind: 1, payload: job), before: .after(seconds: 10))
public final class WorkerProcess: Sendable {
  public let program: WorkerProgram
  public let connection: WorkerConnection
  let errors: ErrorTail?
  private let child: ChildProcess

  public var processID: Int32 { child.processID }

  /// Starts the program.
  /// - Throws: `.cannotStart`.
  public init(_ program: WorkerProgram) throws(WorkerError) {
    let channels = try Channels(program)
    self.program = program
    connection = WorkerConnection(channels.ours, limits: program.limits)
    errors = channels.errorsOut.map { ErrorTail($0) }
    child = try ChildProcess(program.launch(socket: channels.theirs, errors: channels.errorsIn))
  }

  deinit { connection.close() }

  /// Kills the process, if it has not been collected yet. Returns at once.
  public func kill() { child.kill() }

  /// From now on the process has so much processor time before the kernel ends it (SIGXCPU): a
  /// second watchdog, for the case that the first one is stopped itself.
  /// - Parameter seconds: on one processor; a decoder may use two.
  public func limitProcessorTime(seconds: Double) { child.limitProcessorTime(seconds: seconds * 2) }

  /// Whether the process has ended; collects it then. Does not wait.
  public var hasEnded: Bool { child.hasEnded }

  /// Waits for the end of the process and collects it. May be called again and from any thread.
  /// - Returns: nil when the deadline passed first.
  public func waitForExit(before deadline: Deadline) -> ExitStatus? {
    child.wait(before: deadline)?.status
  }

  /// The end of the helper's standard error, on one line.
  public var errorTail: String { errors?.text ?? "" }

  /// The sockets and pipes of a process before it starts.
  private struct Channels {
    let ours: OwnedDescriptor
    let theirs: OwnedDescriptor
    var errorsOut: OwnedDescriptor?
    var errorsIn: OwnedDescriptor?

    init(_ program: WorkerProgram) throws(WorkerError) {
      do throws(SystemError) {
        (ours, theirs) = try SystemCalls.Channels.socketPair()
        guard program.standardError == .captured else { return }
        let pipe = try SystemCalls.Channels.pipe()
        // Neither side may wait for the other because of an error message.
        _ = fcntl(pipe.reading.raw, F_SETFL, O_NONBLOCK)
        _ = fcntl(pipe.writing.raw, F_SETFL, O_NONBLOCK)
        (errorsOut, errorsIn) = (pipe.reading, pipe.writing)
      } catch {
        throw WorkerError(
          .cannotStart, "cannot start \(program.path): \(error.description)", systemError: error)
      }
    }
  }
}
