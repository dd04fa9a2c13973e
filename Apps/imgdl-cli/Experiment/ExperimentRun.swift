import Models
import ProgramSupport
import SystemCalls
import Threading
import WorkerProcess

/// One run of a combination: a process that downloads into a new library, which is measured and then deleted.
struct ExperimentRun: Sendable {
  let experiment: Experiment
  let plannedRun: ExperimentPlan.PlannedRun
  /// The folder of the run, which the run creates and deletes.
  let folder: String

  private var library: String { folder + "/library" }

  /// - Throws: `ProgramFailure` if the process failed for another reason than failed resources, and
  ///   `CancellationError`.
  func perform() async throws -> (Measurement, LibraryContents) {
    let messages = try await BlockingThread.run("experiment-run") { try prepare() }
    let outcome = try await measure(messages)
    try Task.checkCancellation()
    let code = try exitCode(outcome.status)
    let summary = try RunSummary.read(folder + "/summary")
    let contents = try await LibraryContents.read(
      library, settings: experiment.settings[plannedRun.combination])
    try await BlockingThread.run("experiment-run") { try FileSystem.removeTree(folder) }
    return (measurement(outcome, code, summary, contents), contents)
  }

  /// Creates the folder of the run and syncs the file system, so that dirty pages of the previous run are not
  /// written during this one.
  private func prepare() throws -> OwnedDescriptor {
    try FileSystem.makeFolders(folder)
    try FileSystem.openFolder(folder).syncFileSystem()
    return try FileSystem.open(folder + "/messages", .writing, create: .mustNotExist)
  }

  private func measure(_ messages: OwnedDescriptor) async throws -> MeasuredProcess.Outcome {
    let words = experiment.commandLine(
      plannedRun.combination, library: library, summary: folder + "/summary")
    let process = try MeasuredProcess(
      ProcessLaunch(
        // `/proc/self/exe` is the running executable, even if the file at its path has been replaced since.
        path: "/proc/self/exe", arguments: words, streams: [.none, .none, .existing(messages)]))
    return try await withTaskCancellationHandler {
      try await BlockingThread.run("experiment-wait") { process.wait() }
    } onCancel: {
      // The library is deleted with the run, so the process need not exit cleanly.
      process.kill()
    }
  }

  /// Returns the exit code. Failed resources count as a result; any other failure ends the experiment.
  private func exitCode(_ status: ExitStatus) throws -> Int32 {
    var failure = ExitCode.internalError
    if case .code(let code) = status {
      if code == ExitCode.success.rawValue || code == ExitCode.someFailed.rawValue { return code }
      failure = ExitCode(rawValue: code) ?? failure
    }
    let label = experiment.combinations[plannedRun.combination].label
    throw ProgramFailure(failure, "the run with \(label) \(status): \(lastErrorLine)")
  }

  /// The last three lines of the program's messages, joined into one line.
  private var lastErrorLine: String {
    let limit: Int64 = 4_096
    guard let file = try? FileSystem.open(folder + "/messages"), let size = try? file.status().size,
      let bytes = try? file.bytes(count: Int(min(size, limit)), at: max(0, size - limit))
    else { return "no message" }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.isEmpty ? "no message" : lines.suffix(3).joined(separator: " | ")
  }

  private func measurement(
    _ outcome: MeasuredProcess.Outcome, _ code: Int32, _ summary: RunSummary,
    _ contents: LibraryContents
  ) -> Measurement {
    Measurement(
      combination: plannedRun.combination, repetition: plannedRun.repetition,
      wallSeconds: outcome.wallSeconds, userSeconds: outcome.cost.user,
      systemSeconds: outcome.cost.system, peakMemory: outcome.peakMemory, bytes: contents.bytes,
      requests: summary.requests, failures: summary.failed, exitCode: code)
  }
}
