import CLinux
import Glibc
import Synchronization
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
  public let processID: Int32
  public let connection: WorkerConnection
  let errors: ErrorTail?
  /// Readable when the process has ended.
  private let processDescriptor: OwnedDescriptor
  /// nil while the process has not been collected: only then does its number mean this process.
  private let status = Mutex<ExitStatus?>(nil)

  /// Starts the program.
  /// - Throws: `.cannotStart`.
  public init(_ program: WorkerProgram) throws(WorkerError) {
    let channels = try Channels(program)
    self.program = program
    connection = WorkerConnection(channels.ours, limits: program.limits)
    errors = channels.errorsOut.map { ErrorTail($0) }
    processID = try program.spawn(socket: channels.theirs, errors: channels.errorsIn)
    processDescriptor = OwnedDescriptor(imgdl_pidfd_open(processID))
  }

  deinit {
    connection.close()
    kill()
    _ = waitForExit(before: .never)
  }

  /// Kills the process, if it has not been collected yet. Returns at once.
  public func kill() {
    status.withLock { status in
      if status == nil { _ = Glibc.kill(processID, SIGKILL) }
    }
  }

  /// Waits for the end of the process and collects it. May be called again and from any thread.
  /// - Returns: nil when the deadline passed first.
  public func waitForExit(before deadline: Deadline) -> ExitStatus? {
    while true {
      if let known = collect() { return known }
      // Without a pidfd (a very old kernel) look every 10 ms.
      let isBlind = !processDescriptor.isOpen
      var entry = pollfd(fd: processDescriptor.raw, events: Int16(POLLIN), revents: 0)
      let wait = deadline.pollTimeout
      poll(&entry, 1, isBlind ? (wait < 0 ? 10 : min(10, wait)) : wait)
      if deadline.hasPassed { return collect() }
    }
  }

  /// What the helper wrote to its standard error last, on one line.
  public var errorTail: String { errors?.text ?? "" }

  private func collect() -> ExitStatus? {
    status.withLock { status in
      if let known = status { return known }
      var raw: Int32 = 0
      let result = waitpid(processID, &raw, WNOHANG)
      if result == processID { status = ExitStatus(waitStatus: raw) }
      if result < 0 && errno == ECHILD { status = .unknown }
      return status
    }
  }

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
