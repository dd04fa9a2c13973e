import CommandLine
import Composition
import Models
import Persistence
import ProgramSupport

/// How a run ends: what is said, and with which code.
extension Job {
  /// Lets go of the library and tells what came of the run.
  func conclude(
    _ sourcing: AddOutcome, _ ending: Ending, _ report: (Summary) throws -> Void
  ) async -> ExitCode {
    await display.stop()
    // A store that broke has nothing to tell.
    let summary =
      (try? await Summary.make(library.store, records: sourcing.records)) ?? Summary()
    var late = await writeFailed(sourcing.records)
    await library.close()
    await display.finish()
    do {
      try report(summary)
    } catch {
      late = late ?? ProgramFailure(wrapping: error)
    }
    let code = tell(sourcing, summary, ending)
    guard let late else { return code }
    context.console.complain(late.message)
    return code == .done ? late.code : code
  }

  /// Summary and exit code; the first that matches wins.
  private func tell(_ sourcing: AddOutcome, _ summary: Summary, _ ending: Ending) -> ExitCode {
    let console = context.console
    summary.tell(context)
    switch ending {
    case .idle: break
    case .paused(let sentence): console.note(sentence)
    case .failed(let failure) where failure.code == .interrupted:
      console.note("Interrupted; everything is kept. The same command goes on.")
      return .interrupted
    case .failed(let failure):
      console.complain(failure.message)
      return failure.code
    case .detached:
      console.note("\(library.owner) goes on with it; imgdl-cli watch shows it.")
      return .interrupted
    case .abandoned:
      console.complain("\(library.owner) has ended; everything is kept")
      return .interrupted
    }
    if summary.counts.failed > 0 || sourcing.problemCount > 0 || sourcing.onlyFailuresRemain {
      return .someFailed
    }
    var codes = sourcing.failures.map(\.code)
    if case .paused = ending { codes.append(.interrupted) }
    return ExitCode.first(of: codes)
  }

  /// Why nothing happens, and how to continue; nil if all is settled.
  func pause(of records: [RecordID]) async throws -> String? {
    var paused: [Record] = []
    var isUnsettled = false
    for id in records {
      guard let record = try await library.store.record(id), !record.isSettled else { continue }
      isUnsettled = true
      if record.isPaused { paused.append(record) }
    }
    guard isUnsettled else { return nil }
    if try await library.store.libraryState().isPaused {
      return "The library is paused; imgdl-cli resume goes on."
    }
    guard let first = paused.first else { return nil }
    let title = Console.escaped(first.title)
    return paused.count == 1
      ? "\(title) is paused; imgdl-cli resume goes on."
      : "\(title) and \(paused.count - 1) more are paused; imgdl-cli resume goes on."
  }
}

extension Record {
  /// Nothing of it is still to come, as far as an engine goes by itself.
  var isSettled: Bool { isLazy || counts.settled == counts.total }
}
