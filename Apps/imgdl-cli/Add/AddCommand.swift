import CommandLine
import Engine
import Manifests
import Models
import ProgressTree
import SystemCalls

/// `add`: sources in, pictures on disk, progress on the way.
enum AddCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let words =
      context.invocation.arguments(named: "SOURCE") + context.invocation.values("input-file")
    guard !words.isEmpty else {
      throw CommandFailure(.usage, "add: nothing to add; name a URL or a file (see add --help)")
    }
    guard words.filter({ $0 == "-" }).count <= 1 else {
      throw CommandFailure(.usage, "add: standard input can be read only once")
    }
    if context.invocation.flag("dry-run") { return try await DryRun.run(context, words) }
    if context.settings.network.insecure {
      context.console.complain("certificates are not checked (--insecure)")
    }
    let engine = try await context.openEngine()
    return try await Job(context: context, engine: engine).run { job in
      await job.add(words)
    }
  }
}

/// One run of an engine for a command: start, work, display, summary, exit code.
struct Job: Sendable {
  let context: Context
  let engine: Engine

  /// What the sources came to.
  struct Sourcing: Sendable {
    var records: [RecordID] = []
    var failures: [CommandFailure] = []
    var problemCount = 0
    var onlyFailuresRemain = false
  }

  func run(_ work: @escaping @Sendable (Job) async -> Sourcing) async throws -> ExitCode {
    let interrupts = Interrupts()
    let display = ProgressDisplay(context, engine)
    let drawing = await display.start()
    var stopped: EngineError?
    var sourcing = Sourcing()
    do {
      try await engine.start()
      sourcing = try await interrupts.during {
        await work(self)
      } onInterrupt: {
        await engine.interrupt()
      }
      try await interrupts.during {
        try await engine.waitUntilIdle()
      } onInterrupt: {
        await engine.interrupt()
      }
    } catch let error as EngineError {
      stopped = error
    }
    drawing.cancel()
    await drawing.value
    await display.finish()
    let summary = try await Summary.make(engine, records: sourcing.records)
    await engine.stop()
    return conclude(sourcing, summary, stopped, wasInterrupted: interrupts.wasInterrupted)
  }

  /// Each source by itself: one that fails does not keep the others from going on.
  func add(_ words: [String]) async -> Sourcing {
    var sourcing = Sourcing()
    let format = context.invocation.value("format").flatMap { ManifestFormat(rawValue: $0) }
    for word in words {
      do {
        let request = try Sources.request(
          word, format: format, again: context.invocation.flag("again"),
          spoolFolder: engine.layout.incoming)
        let result = try await engine.add(request)
        report(result, of: request.name)
        sourcing.records += result.records
        sourcing.problemCount += result.problemCount
        if result.outcome == .onlyFailuresRemain { sourcing.onlyFailuresRemain = true }
      } catch let failure as CommandFailure {
        sourcing.failures.append(failure)
      } catch let error as EngineError {
        sourcing.failures.append(CommandFailure(error))
      } catch {
        sourcing.failures.append(CommandFailure(Failures.code(for: error), "\(error)"))
      }
    }
    return sourcing
  }

  private func report(_ result: AddResult, of name: String) {
    let console = context.console
    for problem in result.problems { console.complain(problem) }
    let untold = result.problemCount - result.problems.count
    if untold > 0 { console.complain("\(name): \(untold) more bad entries") }
    switch result.outcome {
    case .appended: break
    case .continued: console.note("\(name): an earlier add is continued")
    case .onlyFailuresRemain:
      console.note("\(name): everything is here but what failed; imgdl-cli retry tries that again")
    }
  }

  /// Messages, summary and exit code; the first that matches wins.
  private func conclude(
    _ sourcing: Sourcing, _ summary: Summary, _ stopped: EngineError?, wasInterrupted: Bool
  ) -> ExitCode {
    let console = context.console
    for failure in sourcing.failures where failure.code != .interrupted {
      console.complain(failure.message)
    }
    summary.tell(context)
    if wasInterrupted {
      console.note("Interrupted; everything is kept. The same command goes on.")
      return .interrupted
    }
    if let stopped {
      console.complain(stopped.detail)
      return ExitCode(stopped)
    }
    if summary.counts.failed > 0 || sourcing.problemCount > 0 || sourcing.onlyFailuresRemain {
      return .someFailed
    }
    return sourcing.failures.map(\.code).min { $0.rawValue < $1.rawValue } ?? .done
  }
}
