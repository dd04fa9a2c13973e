import CommandLine
import Engine
import Models
import SystemCalls
import Transport
import Wiring

/// `add`: sources in, pictures on disk, progress on the way.
enum AddCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let words =
      context.invocation.arguments(named: "SOURCE") + context.invocation.values("input-file")
    guard !words.isEmpty else {
      throw context.invocation.usageError(
        "nothing to add; name a URL or a file", code: .missingArgument)
    }
    guard words.filter({ $0 == "-" }).count <= 1 else {
      throw context.invocation.usageError("standard input can be read only once")
    }
    if context.invocation.flag("dry-run") { return try await DryRun.run(context, words) }
    if context.settings.network.insecure {
      context.console.complain("certificates are not checked (network.insecure)")
    }
    let counter = RequestCounter()
    let report = context.invocation.value("summary")
    let engine = try await context.openEngine { catalogue in
      if report != nil { catalogue.wrap(.transport) { counter.counting($0) } }
    }
    var job = Job(context, engine)
    if let report { job.report = { try RunSummary($0, counter).write(to: report) } }
    return try await job.run { job in await job.add(words) }
  }
}

extension Job {
  /// Each source by itself: one that fails does not keep the others from going on.
  func add(_ words: [String]) async -> Sourcing {
    var sourcing = Sourcing()
    let sources = Sources(context, spoolFolder: engine.layout.incoming)
    for word in words where !Task.isCancelled {
      await announce(word)
      do {
        let request = try await sources.request(word)
        let result = try await engine.add(request)
        if case .standardInput(let spool) = request.location { try? FileSystem.remove(spool) }
        await report(result, of: request.name)
        sourcing.note(result)
      } catch {
        let failure = CommandFailure(wrapping: error)
        sourcing.failures.append(failure)
        if failure.code != .interrupted { await display.tell(.complaint(failure.message)) }
      }
    }
    await display.reading(nil)
    return sourcing
  }

  private func announce(_ word: String) async {
    guard word == "-" else { return await display.reading(word) }
    let isTyped = Machine.isTerminal(0)
    if isTyped { await display.tell(.note("Reading the terminal; Ctrl-D ends the list.")) }
    await display.reading(StandardInput.name, isTyped: isTyped)
  }

  private func report(_ result: AddResult, of name: String) async {
    for problem in result.problems { await display.tell(.complaint(problem)) }
    let untold = result.problemCount - result.problems.count
    if untold > 0 { await display.tell(.complaint("\(name): \(untold) more bad entries")) }
    switch result.outcome {
    case .appended: break
    case .continued: await display.tell(.note("\(name): an earlier add is continued"))
    case .onlyFailuresRemain:
      await display.tell(
        .note("\(name): all is here but what failed; imgdl-cli retry tries that again"))
    }
  }
}
