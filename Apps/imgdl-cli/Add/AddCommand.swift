import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import SystemCalls
import Transport
import Wiring

/// The command `add`: adds sources, downloads their resources and shows the progress.
enum AddCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let words =
      context.invocation.arguments(named: "SOURCE") + context.invocation.values("input-file")
    guard !words.isEmpty else {
      let hint =
        Machine.isTerminal(0) ? "" : "; to read a list from standard input: imgdl-cli add -"
      throw context.invocation.usageError(
        "nothing to add; name a URL or a file\(hint)", code: .missingArgument)
    }
    let inputs = words + context.invocation.values("password-file")
    guard inputs.filter({ $0 == "-" }).count <= 1 else {
      throw context.invocation.usageError("standard input can be read only once")
    }
    // An invalid --name template is an error of the command line and is reported before any source is read.
    _ = try Sources(context, spoolFolder: "")
    if context.invocation.flag("dry-run") { return try await DryRun.run(context, words) }
    let sources = distinct(words, context)
    let password = try await PasswordOption.read(context)
    if context.invocation.flag("detach") {
      guard password == nil else {
        throw context.invocation.usageError(
          "--password-file and --detach exclude each other: the password is not kept until the files are "
            + "downloaded; imgdl-cli view accepts it later")
      }
      context.warn()
      return try await DetachedAdd.run(context, sources)
    }
    let counter = RequestCounter()
    let report = context.invocation.value("summary")
    return try await CommandRun.run(context, password: password) { catalogue in
      if report != nil { catalogue.wrap(.transport) { counter.counting($0) } }
    } reporting: { summary in
      if let report { try RunSummary(summary, counter).write(to: report) }
    } _: {
      try await $0.add(sources)
    }
  }

  /// Returns the sources without those that are named a second time, unless each of them is to be appended.
  private static func distinct(_ words: [String], _ context: Context) -> [String] {
    guard !context.invocation.flag("again") else { return words }
    var keys: Set<String> = []
    return words.filter { word in
      guard word != "-", let key = SourceKey.key(word), !keys.insert(key).inserted else {
        return true
      }
      context.console.printNote("\(Console.escaped(word)): is named twice, and is added once")
      return false
    }
  }
}

extension CommandRun {
  /// Adds the sources one after the other. A failure of one source does not prevent adding the others.
  func add(_ words: [String]) async throws -> AddOutcome {
    var outcome = AddOutcome()
    let sources = try Sources(context, spoolFolder: context.layout.incoming)
    for word in words {
      guard !Task.isCancelled else {
        outcome.hasUnreadSource = true
        break
      }
      await announce(word)
      do {
        var request = try await sources.request(word)
        request.since = outcome.began
        request.options = options
        let earlier = sources.readsViaGallery ? nil : await library.earlierRecord(of: word)
        let result = try await library.service.add(request)
        if case .standardInput(let spool) = request.location { try? FileSystem.remove(spool) }
        await report(result, of: request, earlier: earlier)
        outcome.record(result)
      } catch {
        if ProgramFailure(wrapping: error).code == .interrupted { outcome.hasUnreadSource = true }
        // Standard input cannot be read a second time.
        try await failed(error, &outcome, canBeginAgain: word != "-")
      }
    }
    await display.reading(nil)
    return outcome
  }

  private func announce(_ word: String) async {
    guard word == "-" else { return await display.reading(word) }
    let isTyped = Machine.isTerminal(0)
    if isTyped { await display.printMessage(.note("Reading the terminal; Ctrl-D ends the list.")) }
    await display.reading(StandardInput.name, isTyped: isTyped)
  }

  /// - Parameter count: The number of all problems, of which `problems` may contain only the first ones.
  func printProblems(_ problems: [String], _ count: Int, of name: String) async {
    let shown = problems.prefix(FailureReport.limit)
    for problem in shown { await display.printMessage(.complaint(problem)) }
    let unreportedCount = count - shown.count
    if unreportedCount > 0 {
      await display.printMessage(
        .complaint(
          "\(name): \(unreportedCount) more invalid entries"))
    }
  }

  /// - Parameter earlier: The first record that was added from the same source before, or nil.
  private func report(
    _ result: AddResult, of request: SourceRequest, earlier: EarlierRecord?
  ) async {
    await printProblems(result.problems, result.problemCount, of: request.name)
    for note in await library.notes(
      on: result, of: request, earlier: earlier, context)
    {
      await display.printMessage(.note(note))
    }
  }
}
