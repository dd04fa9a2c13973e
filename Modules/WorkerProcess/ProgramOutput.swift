import SystemCalls

/// The output of a helper program that is queried by its arguments alone.
public enum ProgramOutput {
  /// The processor time in seconds after which the program is killed; a program that waits is killed after ten
  /// times as long.
  private static let seconds = 10.0
  private static let limit = 1 << 20

  /// Runs a program and returns its standard output. Blocks. The output must fit into a pipe (64 KiB),
  /// because it is read after the program has ended.
  public static func read(from path: String, _ arguments: [String]) throws(WorkerError) -> String {
    let (pipe, child) = try start(path, arguments)
    let time = WorkTime(seconds: seconds, used: child.processorNanoseconds, now: .now)
    guard let ending = child.wait(within: .work(time, of: child)) else {
      throw WorkerError(.timedOut, "\(path) does not end")
    }
    guard ending.status == .code(0) else {
      throw WorkerError(.died, "\(path) \(ending.status)", exit: ending.status)
    }
    do throws(SystemError) {
      return String(decoding: try pipe.remainingBytes(limit: limit), as: UTF8.self)
    } catch {
      throw .system(error)
    }
  }

  /// Starts the program.
  /// - Returns: The reading end of its standard output, and the process.
  private static func start(
    _ path: String, _ arguments: [String]
  ) throws(WorkerError) -> (OwnedDescriptor, ChildProcess) {
    let pipe: (reading: OwnedDescriptor, writing: OwnedDescriptor)
    do throws(SystemError) {
      pipe = try Channels.pipe()
    } catch {
      throw .system(error)
    }
    // The pipe reaches its end only when this process has closed its writing end, too.
    defer { pipe.writing.close() }
    let child = try ChildProcess(
      ProcessLaunch(
        path: path, arguments: arguments, streams: [.none, .existing(pipe.writing), .none]))
    return (pipe.reading, child)
  }
}
