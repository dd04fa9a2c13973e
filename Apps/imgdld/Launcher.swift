import Glibc
import Composition
import Models
import ProgramSupport
import SystemCalls
import WorkerProcess

/// Starts this program again in a session of its own, and waits until the new process listens.
struct Launcher {
  private let options: DaemonOptions

  init(_ options: DaemonOptions) { self.options = options }

  /// The number of seconds to wait until another process that holds the library listens or ends.
  private static let startTimeout = 10.0

  /// Starts the daemon, unless one already listens. If several processes start a daemon at the same time, one
  /// of them acquires the library's lock, and the others wait until it listens.
  /// - Returns: The message for the user.
  func start() async throws -> String {
    // Errors in the settings are reported here, because this process still has the terminal.
    let settings = try options.settings().settings
    let deadline = Machine.monotonicNanoseconds &+ UInt64(Self.startTimeout * 1e9)
    var pause = Duration.milliseconds(50)
    while true {
      if let word = try await running(settings) { return word }
      do {
        return try await launch()
      } catch let failure as ProgramFailure where failure.code == .locked {
        guard Machine.monotonicNanoseconds < deadline else { throw failure }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .seconds(1))
      }
    }
  }

  /// Returns the message about the process that already serves the library, or nil if none listens.
  /// - Throws: `ProgramFailure` if that process is not an imgdld.
  private func running(_ settings: Settings) async throws -> String? {
    if let other = try await LibraryOpener.running(at: options.library, settings: settings) {
      let (process, program, socket) = (other.processID, other.program ?? "", other.socket ?? "")
      await other.close()
      guard program == "imgdld" else {
        throw ProgramFailure(
          .locked, "the library \(options.library) is in use by process \(process)")
      }
      return "imgdld is already running (process \(process)) and listens at \(socket)"
    }
    return nil
  }

  private func launch() async throws -> String {
    let place = options.socket.map { LibraryDaemon.ListenAddress.chosen($0) } ?? .standard
    let log = try LibraryDaemon.openLog(at: options.library, place: place)
    guard let program = Machine.executablePath else {
      throw ProgramFailure(.internalError, "/proc is missing")
    }
    let pipe = try Channels.pipe()
    var launch = ProcessLaunch(
      path: program, arguments: options.arguments + ["--foreground", "--ready", "3"],
      streams: [.none, .none, .existing(log.file), .existing(pipe.writing)])
    launch.leadsSession = true
    let process = try ChildProcess(launch)
    pipe.writing.close()
    let word = String(decoding: try pipe.reading.remainingBytes(limit: 4_096), as: UTF8.self)
    guard word.hasPrefix("/") else { throw failure(process, log) }
    process.detach()
    return "imgdld (process \(process.processID)) works for \(options.library) "
      + "and listens at \(word)"
  }

  /// Returns the failure of a daemon that has exited, with the daemon's own message and exit code.
  private func failure(
    _ process: ChildProcess, _ log: (file: OwnedDescriptor, length: Int64)
  ) -> ProgramFailure {
    let ending = process.wait(before: .after(seconds: 10))
    var code = ExitCode.internalError
    if case .code(let number)? = ending?.status { code = ExitCode(rawValue: number) ?? code }
    let path = log.file.path ?? ""
    let said = (try? FileSystem.contents(of: path, limit: 4 << 20)) ?? []
    let lines = String(decoding: said.dropFirst(Int(log.length)), as: UTF8.self)
      .split(separator: "\n")
    let words = lines.last { $0.hasPrefix("imgdld: ") }?.dropFirst("imgdld: ".count)
    return ProgramFailure(
      code, words.map { String($0) } ?? "imgdld has ended; its log is \(path)")
  }
}
