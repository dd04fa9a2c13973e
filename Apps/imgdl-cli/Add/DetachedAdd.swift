import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import SystemCalls

/// The command `add --detach`: passes the sources to imgdld, which downloads them even after the terminal has
/// closed.
enum DetachedAdd {
  static func run(_ context: Context, _ words: [String]) async throws -> ExitCode {
    let sources = try Sources(context, spoolFolder: context.layout.incoming)
    let interrupts = try Interrupts()
    var codes: [ExitCode] = []
    // The newest resource when the first source was begun. Files requested since then serve later sources,
    // too.
    var began: ResourceID?
    for word in words where !interrupts.wasInterrupted {
      do {
        let (code, first) = try await interrupts.during { [began] in
          try await add(word, since: began, sources, context)
        }
        began = began ?? first
        codes.append(code)
      } catch {
        let failure = ProgramFailure(wrapping: error)
        if ProgramFailure.isWorthTelling(error) { context.console.printError(failure.message) }
        codes.append(failure.code)
      }
    }
    return ExitCode.first(of: codes.filter { $0 != .success })
  }

  /// Adds a source. If imgdld ends before it has answered, it is started again and the request repeated,
  /// because imgdld keeps nothing of a source that was not read completely.
  private static func add(
    _ word: String, since began: ResourceID?, _ sources: Sources, _ context: Context
  ) async throws -> (ExitCode, began: ResourceID) {
    let options = try context.requestOptions()
    var library = try await context.connectToDaemon()
    var request = try await sources.request(word)
    request.since = began
    request.options = library.passed(options)
    // This program deletes the spool file of standard input, so an add of that file must not outlive the
    // program.
    if case .standardInput = request.location {} else { request.outlivesClient = true }
    let deadline = Machine.monotonicNanoseconds &+ restartTimeout
    while true {
      do {
        let result = try await library.service.add(request)
        let notes = await library.notes(on: result, of: request, earlier: nil, context)
        var isOnDemand = request.isLazy
        if result.outcome == .continued, let first = result.records.first {
          isOnDemand = (try? await library.store.record(first))?.isLazy ?? false
        }
        await library.close()
        if case .standardInput(let spool) = request.location { try? FileSystem.remove(spool) }
        for note in notes { context.console.printNote(Console.escaped(note)) }
        return (
          printResult(result, isOnDemand: isOnDemand, request, library, context), result.began
        )
      } catch {
        await library.close()
        guard library.isEngineLost(error), !Task.isCancelled,
          Machine.monotonicNanoseconds < deadline
        else { throw error }
        context.console.printNote("\(library.owner) has ended; imgdld is started again.")
        library = try await context.connectToDaemon()
      }
    }
  }

  /// The time in nanoseconds during which an imgdld that has ended is started again.
  private static let restartTimeout: UInt64 = 10_000_000_000

  private static func printResult(
    _ result: AddResult, isOnDemand: Bool, _ request: SourceRequest,
    _ library: LibraryConnection, _ context: Context
  ) -> ExitCode {
    let console = context.console
    let name = Console.escaped(request.name)
    for problem in result.problems { console.printError(problem) }
    let unreportedCount = result.problemCount - result.problems.count
    if unreportedCount > 0 {
      console.printError("\(name): \(unreportedCount) more invalid entries")
    }
    let counts =
      "\(Summary.count(result.records.count, "record")), "
      + Summary.count(result.entryCount, "resource")
    switch result.outcome {
    case .appended where isOnDemand:
      console.printNote("\(name): \(counts) added, which are downloaded when they are viewed.")
    case .continued where isOnDemand, .onlyFailuresRemain: break
    case .appended, .continued:
      let verb = result.outcome == .continued ? "continued" : "added"
      console.printNote(
        "\(name): \(counts) \(verb); \(library.program ?? "") (process \(library.processID)) "
          + "downloads. Follow the downloads with \(context.hint("watch")).")
    }
    return result.problemCount > 0 || result.outcome == .onlyFailuresRemain ? .someFailed : .success
  }
}
