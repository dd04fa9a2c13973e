import Glibc
import SystemCalls

extension WorkerProcess {
  /// The number of seconds in which a process must exit after its socket has been closed.
  private static let gracePeriod = 2.0

  /// Sends a frame.
  /// - Throws: `.died` with the exit status of the process and the end of its standard error, `.timedOut`,
  ///   and the other errors of `WorkerConnection.send`.
  public func send(_ frame: Frame, before deadline: Deadline = .never) throws(WorkerError) {
    try send(frame, limit: .deadline(deadline))
  }

  /// Sends a frame like `send(_:before:)`.
  /// - Throws: Also `.processorTime`.
  public func send(_ frame: Frame, within time: WorkTime) throws(WorkerError) {
    try send(frame, limit: .work(time, of: child))
  }

  private func send(_ frame: Frame, limit: WaitLimit) throws(WorkerError) {
    do throws(WorkerError) {
      try connection.send(frame, within: limit)
    } catch  where error.code == .died {
      throw deathReport()
    } catch {
      throw error
    }
  }

  /// Receives the next frame.
  /// - Throws: `.died` with the exit status of the process and the end of its standard error, `.timedOut`,
  ///   `.malformed`, `.system`.
  public func receive(before deadline: Deadline = .never) throws(WorkerError) -> Frame {
    try received { () throws(WorkerError) in
      try connection.receive(within: .deadline(deadline), alongside: errors)
    }
  }

  /// Receives the next frame like `receive(before:)`.
  /// - Throws: Also `.processorTime`.
  public func receive(within time: WorkTime) throws(WorkerError) -> Frame {
    try received { () throws(WorkerError) in
      try connection.receive(within: .work(time, of: child), alongside: errors)
    }
  }

  private func received(
    _ receive: () throws(WorkerError) -> Frame?
  ) throws(WorkerError) -> Frame {
    do throws(WorkerError) {
      if let frame = try receive() { return frame }
    } catch  where error.code == .died {
      throw deathReport()
    } catch {
      throw error
    }
    throw deathReport()
  }

  /// Sends a request and receives its answer. A process that does not answer in time, or whose answer is
  /// malformed, is killed and reaped before the error is thrown.
  public func call(_ question: Frame, before deadline: Deadline) throws(WorkerError) -> Frame {
    try call(question, limit: .deadline(deadline))
  }

  /// Sends a request and receives its answer like `call(_:before:)`.
  /// - Throws: Also `.processorTime`.
  public func call(_ question: Frame, within time: WorkTime) throws(WorkerError) -> Frame {
    try call(question, limit: .work(time, of: child))
  }

  private func call(_ question: Frame, limit: WaitLimit) throws(WorkerError) -> Frame {
    errors?.beginJob()
    do throws(WorkerError) {
      try send(question, limit: limit)
      return try received { () throws(WorkerError) in
        try connection.receiveAnswer(within: limit, alongside: errors)
      }
    } catch  where error.code == .timedOut || error.code == .processorTime && error.exit == nil {
      let status = stop(grace: 0)
      let reason =
        error.code == .timedOut ? "did not answer in time" : "has used up its processor time"
      throw WorkerError(error.code, "\(program.name) \(reason) and was stopped", exit: status)
    } catch  where error.code == .malformed || error.code == .system {
      let status = stop(grace: 0)
      throw WorkerError(
        error.code, "\(program.name): \(error.description)", exit: status,
        systemError: error.systemError)
    } catch {
      throw error
    }
  }

  /// Closes the connection, whereupon the helper should exit. If the helper has not exited after `grace`
  /// seconds, it is killed. The process is reaped in either case.
  @discardableResult
  public func stop(grace: Double = 2) -> ExitStatus {
    connection.close()
    if grace > 0, let status = waitForExit(before: .after(seconds: grace)) { return status }
    kill()
    return waitForExit(before: .never) ?? .unknown
  }

  /// Stops the process, and returns the error that describes its end. A process that has closed its socket
  /// but does not exit is killed.
  public func deathReport() -> WorkerError {
    let status = stop(grace: Self.gracePeriod)
    if status == .signal(SIGXCPU) {
      return WorkerError(
        .processorTime,
        "\(program.name) has used up its processor time and was ended by the kernel (SIGXCPU)",
        exit: status)
    }
    let words = errorTail
    return WorkerError(
      .died, "\(program.name) \(status)\(words.isEmpty ? "" : ": \(words)")", exit: status)
  }
}
