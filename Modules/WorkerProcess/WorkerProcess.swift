import Glibc
import SystemCalls

/// A running helper program and the connection to it.
///
/// Calls block, like those of `WorkerConnection`, and belong on a thread of the adapter's own. `kill()` may
/// be called from any thread. Deinitialization kills and reaps the process, so that no zombie remains.
///
///     let worker = try WorkerProcess(WorkerProgram(path: locator.path(of: "imgdl-render")))
///     let answer = try worker.call(Frame(kind: 1, payload: job), before: .after(seconds: 10))
public final class WorkerProcess: Sendable {
  public let program: WorkerProgram
  public let connection: WorkerConnection
  let errors: ErrorTail?
  let child: ChildProcess

  public var processID: Int32 { child.processID }

  /// Starts the program.
  /// - Throws: `.cannotStart`.
  public init(_ program: WorkerProgram) throws(WorkerError) {
    let channels = try Channels(program)
    self.program = program
    connection = WorkerConnection(channels.parentEnd, limits: program.limits)
    errors = channels.errorsOut.map { ErrorTail($0) }
    child = try ChildProcess(program.launch(socket: channels.childEnd, errors: channels.errorsIn))
  }

  deinit { connection.close() }

  /// Kills the process, unless it has been reaped. Does not block.
  public func kill() { child.kill() }

  /// Returns the time for a piece of work that begins now.
  ///
  /// The kernel ends the process (SIGXCPU) when it has used twice as much processor time: a second watchdog, in
  /// case this program is suspended and does not check the time.
  public func beginWork(seconds: Double) -> WorkTime {
    let used = child.processorNanoseconds
    if let used { limitProcessorTime(seconds: seconds, used) }
    return WorkTime(seconds: seconds, used: used, now: .now)
  }

  /// Returns as much time again, for a further part of the same work.
  ///
  /// Each call reads the processor's clock, but tells the kernel the new limit rarely, so that the call is
  /// suitable for every message of a worker.
  public func continueWork(_ time: WorkTime) -> WorkTime {
    let used = child.processorNanoseconds
    var kernelBase = time.kernelBase
    if let used, time.needsKernelLimit(used: used) {
      limitProcessorTime(seconds: time.seconds, used)
      kernelBase = used
    }
    return WorkTime(seconds: time.seconds, used: used, kernelBase: kernelBase, now: .now)
  }

  /// Returns the time for a piece of work that begins now, beside other work of the helper; the kernel does not
  /// watch it.
  public func time(seconds: Double) -> WorkTime {
    WorkTime(seconds: seconds, used: child.processorNanoseconds, now: .now)
  }

  /// What has ended the time of the helper; nil if it is not over. Does not block.
  public func end(of time: inout WorkTime) -> WorkTime.End? {
    time.end(used: child.processorNanoseconds, now: .now)
  }

  private func limitProcessorTime(seconds: Double, _ used: UInt64) {
    let allowed = UInt64(max(1, min(seconds * 2, 1e9)).rounded(.up))
    child.limitProcessorTime(totalSeconds: used / 1_000_000_000 &+ 1 &+ allowed)
  }

  /// Whether the process has ended; reaps it in this case. Does not block.
  public var hasEnded: Bool { child.hasEnded }

  /// Whether an idle process can be asked: it has not ended, and has sent nothing that would be taken for the
  /// answer to the next question. Does not block.
  public var isQuiet: Bool {
    guard !hasEnded, let hasInput = try? connection.hasInput() else { return false }
    return !hasInput
  }

  /// Waits for the end of the process and reaps it. May be called repeatedly and from any thread.
  /// - Returns: The exit status; nil if the deadline passed first.
  public func waitForExit(before deadline: Deadline) -> ExitStatus? {
    child.wait(before: deadline)?.status
  }

  /// The last part of the helper's standard error, joined to one line.
  public var errorTail: String { errors?.text ?? "" }

  /// The descriptors of a process that has not been started yet.
  private struct Channels {
    let parentEnd: OwnedDescriptor
    let childEnd: OwnedDescriptor
    var errorsOut: OwnedDescriptor?
    var errorsIn: OwnedDescriptor?

    init(_ program: WorkerProgram) throws(WorkerError) {
      do throws(SystemError) {
        (parentEnd, childEnd) = try SystemCalls.Channels.socketPair()
        guard program.standardError == .captured else { return }
        let pipe = try SystemCalls.Channels.pipe()
        // Neither end blocks, because error messages must not stop either process.
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
