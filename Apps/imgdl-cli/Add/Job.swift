import CommandLine
import Engine
import Models

/// One run of an engine for a command: start, work, display, summary, exit code.
struct Job: Sendable {
  let context: Context
  let engine: Engine
  let display: ProgressDisplay
  /// Told what the run came to, before anybody else.
  var report: (@Sendable (Summary) throws -> Void)?

  /// What the sources came to.
  struct Sourcing: Sendable {
    private(set) var records: [RecordID] = []
    /// Told already.
    var failures: [CommandFailure] = []
    private(set) var problemCount = 0
    private(set) var onlyFailuresRemain = false

    mutating func note(_ result: AddResult) {
      note(result.records)
      problemCount += result.problemCount
      if result.outcome == .onlyFailuresRemain { onlyFailuresRemain = true }
    }

    /// The same source named twice is one set of records.
    mutating func note(_ new: [RecordID]) { records += new.filter { !records.contains($0) } }
  }

  init(_ context: Context, _ engine: Engine) {
    self.context = context
    self.engine = engine
    display = ProgressDisplay(context, engine)
  }

  func run(_ work: @escaping @Sendable (Job) async -> Sourcing) async throws -> ExitCode {
    let interrupts = Interrupts()
    await display.start()
    var stopped: CommandFailure?
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
    } catch {
      stopped = CommandFailure(wrapping: error)
    }
    await display.stop()
    // A store that broke has nothing to tell.
    let summary = (try? await Summary.make(engine, records: sourcing.records)) ?? Summary()
    await engine.stop()
    await display.finish()
    do {
      try report?(summary)
    } catch {
      stopped = stopped ?? CommandFailure(wrapping: error)
    }
    return conclude(sourcing, summary, stopped)
  }

  /// Summary and exit code; the first that matches wins.
  private func conclude(
    _ sourcing: Sourcing, _ summary: Summary, _ stopped: CommandFailure?
  ) -> ExitCode {
    let console = context.console
    summary.tell(context)
    if let stopped {
      guard stopped.code == .interrupted else {
        console.complain(stopped.message)
        return stopped.code
      }
      console.note("Interrupted; everything is kept. The same command goes on.")
      return .interrupted
    }
    if summary.counts.failed > 0 || sourcing.problemCount > 0 || sourcing.onlyFailuresRemain {
      return .someFailed
    }
    return ExitCode.first(of: sourcing.failures.map(\.code))
  }
}
