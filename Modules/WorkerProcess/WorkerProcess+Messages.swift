import SystemCalls

extension WorkerProcess {
  /// The number of seconds in which a process must exit after its socket has been closed.
  private static let gracePeriod = 2.0

  /// Sends a frame.
  /// - Throws: `.died` with the exit status of the process and the end of its standard error, `.timedOut`,
  ///   and the other errors of `WorkerConnection.send`.
  public func send(_ frame: Frame, before deadline: Deadline = .never) throws(WorkerError) {
    do throws(WorkerError) {
      try connection.send(frame, before: deadline)
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
      try connection.receive(before: deadline, alongside: errors)
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
    do throws(WorkerError) {
      try send(question, before: deadline)
      return try received { () throws(WorkerError) in
        try connection.receiveAnswer(before: deadline, alongside: errors)
      }
    } catch  where error.code == .timedOut {
      let status = stop(grace: 0)
      throw WorkerError(
        .timedOut, "\(program.name) did not answer in time and was stopped", exit: status)
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
    let words = errorTail
    return WorkerError(
      .died, "\(program.name) \(status)\(words.isEmpty ? "" : ": \(words)")", exit: status)
  }
}
