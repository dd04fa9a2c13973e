import CommandLine
import Glibc
import Composition
import LibraryAPI
import Models
import ProgramSupport
import SystemCalls

/// The command `daemon start|stop|restart|status`: controls the imgdld of the library.
enum DaemonCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    switch context.invocation.path.dropFirst().first {
    case "start": try await start(context)
    case "stop": try await stop(context)
    case "restart": try await restart(context)
    default: try await status(context)
    }
  }

  private static func start(_ context: Context) async throws -> ExitCode {
    if let other = try await context.running() {
      await other.close()
      guard other.isDaemon else {
        throw ProgramFailure(
          .locked, "the library \(context.library) is in use by process \(other.processID)")
      }
      context.console.print(Self.sentence(other, "works already"))
      if !context.loaded.fromFlags.isEmpty {
        context.console.printNote(
          "\(other.owner) runs the engine of this library; its settings apply.")
      }
      return .success
    }
    context.warn()
    let library = try await context.startDaemon(with: context.loaded)
    await library.close()
    context.console.print(Self.sentence(library, "works"))
    return .success
  }

  /// Sends SIGTERM to imgdld and waits until its process has ended.
  private static func stop(_ context: Context) async throws -> ExitCode {
    guard let process = try await holder(context) else {
      context.console.printNote("No imgdld runs for \(context.library).")
      return .success
    }
    guard let ending = ProcessTermination(process) else {
      context.console.printNote("imgdld (process \(process)) has exited.")
      return .success
    }
    // The number may have passed to another process before `ending` was made.
    guard LibraryHolder.current(context.layout)?.process == process else {
      context.console.printNote("imgdld (process \(process)) has exited.")
      return .success
    }
    ending.terminate()
    guard await ending.waitUntilEnded(seconds: stopTimeout) else {
      throw ProgramFailure(.locked, "imgdld (process \(process)) does not exit")
    }
    context.console.printNote("imgdld (process \(process)) has exited; downloaded data is kept.")
    return .success
  }

  /// Sends SIGUSR1 to imgdld and waits until the installed program listens in its process. An imgdld that does not know
  /// the signal ends, and a new one is started.
  private static func restart(_ context: Context) async throws -> ExitCode {
    guard let process = try await holder(context), let old = try await context.running(),
      let ending = ProcessTermination(process), old.processID == process
    else {
      context.console.printNote("No imgdld runs for \(context.library).")
      return .success
    }
    let log = old.log
    await old.close()
    ending.signal(SIGUSR1)
    if let new = await context.restarted(old, isLost: false) {
      await new.close()
      context.console.print(sentence(new, "has restarted"))
      return .success
    }
    guard await ending.waitUntilEnded(seconds: 0) else {
      throw ProgramFailure(
        .locked,
        "imgdld (process \(process)) has not restarted; it goes on as before"
          + (log.map { ", and its log says why: \($0)" } ?? ""))
    }
    let new = try await context.startDaemon()
    await new.close()
    context.console.print(sentence(new, "works"))
    return .success
  }

  /// Returns the id of the imgdld that uses the library, also of one whose socket is missing; nil if no process uses it.
  /// - Throws: `locked` if the process is not imgdld, or does not run here.
  private static func holder(_ context: Context) async throws -> Int32? {
    let process: Int32
    let isDaemon: Bool
    if let library = try await context.running() {
      (process, isDaemon) = (library.processID, library.isDaemon)
      await library.close()
    } else if let holder = LibraryHolder.current(context.layout) {
      process = holder.process
      isDaemon = Machine.programName(ofProcess: process) == "imgdld"
    } else {
      return nil
    }
    guard LibraryHolder.read(context.layout)?.isHere != false else {
      throw ProgramFailure(
        .locked,
        "the library is in use by a process of another container or machine; stop it there")
    }
    guard isDaemon else {
      throw ProgramFailure(
        .locked,
        "process \(process) uses the library and is not imgdld; stop it in its "
          + "terminal with Ctrl-C")
    }
    return process
  }

  /// The time in seconds to wait for the end of imgdld, which is twice the longest time that stopping takes.
  private static let stopTimeout = 10.0

  private struct Status: Encodable {
    let isRunning: Bool
    let library: String
    var program: String?
    var processID: Int32?
    var socket: String?
    var log: String?
    var since: Int64?
    var isPaused: Bool?
    var concurrency: Int?
    var active: Int?
    var waiting: Int?
  }

  private static func status(_ context: Context) async throws -> ExitCode {
    var status = Status(isRunning: false, library: context.library)
    if let library = try await context.runningOrSilent() {
      defer { Task { await library.close() } }
      let engine = try await library.service.status()
      status = Status(
        isRunning: true, library: context.library, program: library.program,
        processID: library.processID, socket: library.socket, log: library.log,
        since: library.engineStartTime,
        isPaused: engine.isPaused, concurrency: engine.concurrency, active: engine.active,
        waiting: engine.waiting)
    }
    if context.invocation.flag("json") {
      context.console.print(JSONOutput.line(status))
    } else {
      for line in lines(status) { context.console.print(line) }
    }
    return status.isRunning ? .success : .someFailed
  }

  private static func lines(_ status: Status) -> [String] {
    guard let process = status.processID else { return ["Nothing runs for \(status.library)."] }
    let seconds = Double(max(0, Machine.unixSeconds - (status.since ?? 0)))
    let pause = status.isPaused == true ? ", paused" : ""
    let log = status.log.map { ["writes its log to \($0)"] } ?? []
    return [
      "\(status.program ?? "") (process \(process)) works for \(status.library)",
      "listens at \(status.socket ?? "") since \(ProgressLines.time(seconds))",
    ] + log + [
      "\(Summary.count(status.active ?? 0, "transfer")) of \(status.concurrency ?? 0) active, "
        + "\(status.waiting ?? 0) waiting\(pause)"
    ]
  }

  private static func sentence(_ library: LibraryConnection, _ verb: String) -> String {
    "imgdld (process \(library.processID)) \(verb) and listens at \(library.socket ?? "")"
  }
}
