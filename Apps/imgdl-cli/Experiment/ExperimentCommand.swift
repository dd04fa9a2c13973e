import Composition
import Models
import ProgramSupport
import SystemCalls

/// The command `experiment`: runs the same job with each combination of settings, and prints a table of the
/// results.
enum ExperimentCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let experiment = try await Experiment(context)
    let interrupts = try Interrupts()
    Machine.adoptOrphans()
    let folder = try FileSystem.temporaryFolder(prefix: "imgdl-experiment")
    defer { try? FileSystem.removeTree(folder) }
    let console = context.console
    do {
      let result = try await interrupts.during {
        try await perform(experiment, folder, console)
      }
      try await write(result, experiment, console)
      return conclude(result, console)
    } catch {
      guard interrupts.wasInterrupted else { throw error }
      console.printNote("Interrupted; the temporary libraries are removed.")
      return .interrupted
    }
  }

  private static func perform(
    _ experiment: Experiment, _ folder: String, _ console: Console
  ) async throws -> ExperimentResult {
    let plannedRuns = experiment.plan.runs
    console.printNote(
      "\(Summary.count(experiment.combinations.count, "combination")), "
        + "\(Summary.count(plannedRuns.count, "run")) in \(folder)")
    var runs: [Measurement] = []
    var differences: [String] = []
    var reference: LibraryContents?
    for (index, plannedRun) in plannedRuns.enumerated() {
      try Task.checkCancellation()
      let run = ExperimentRun(
        experiment: experiment, plannedRun: plannedRun, folder: "\(folder)/\(index + 1)")
      let (measurement, contents) = try await run.perform()
      runs.append(measurement)
      let label = experiment.combinations[plannedRun.combination].label
      let name = "run \(index + 1) of \(plannedRuns.count): \(label)"
      let wall = FigureText.of(measurement.wallSeconds, .wall)
      console.printNote("\(name): \(wall)\(plannedRun.isWarmup ? " (warm-up)" : "")")
      if let difference = reference.flatMap({ contents.difference(from: $0) }) {
        differences.append("\(label), run \(index + 1): \(difference)")
        console.printError(
          "RESULTS DIFFER: \(name) downloaded different files than the first run: \(difference)")
      }
      reference = reference ?? contents
    }
    return ExperimentResult(
      command: CommandText.of([Console.program] + Swift.CommandLine.arguments.dropFirst()),
      machine: MeasuringMachine(
        processors: Machine.processorCount, kernel: Machine.kernelRelease ?? "",
        program: ProgramVersion.text),
      combinations: experiment.combinations, runs: runs, differences: differences)
  }

  private static func write(
    _ result: ExperimentResult, _ experiment: Experiment, _ console: Console
  ) async throws {
    if let path = experiment.jsonFile {
      let text = try ExperimentFile(result).text()
      try await OutputFile.write(to: path, console) { try $0(text) }
    }
    if let path = experiment.pageFile {
      let text = ExperimentPage(result).text
      try await OutputFile.write(to: path, console) { try $0(text) }
    }
  }

  private static func conclude(_ result: ExperimentResult, _ console: Console) -> ExitCode {
    result.table().print(to: console.exitingOnBrokenPipe(with: nil))
    guard result.differences.isEmpty else {
      let count = Summary.count(result.differences.count, "run")
      console.printError(
        "RESULTS DIFFER: \(count) downloaded different files, so the times are not comparable")
      return .someFailed
    }
    let hasFailures = result.runs.contains { $0.exitCode != ExitCode.success.rawValue }
    return hasFailures ? .someFailed : .success
  }
}
