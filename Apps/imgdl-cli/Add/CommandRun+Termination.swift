import CommandLine
import Composition
import Models
import Persistence
import ProgramSupport

/// The messages and the exit code at the end of a run.
extension CommandRun {
  /// Closes the library and prints the result of the run.
  func conclude(
    _ outcome: AddOutcome, _ termination: Termination, _ report: (Summary) throws -> Void
  ) async -> ExitCode {
    await display.stop()
    // The summary of a store that has failed is empty.
    let summary =
      (try? await Summary.make(
        library.store, records: outcome.records, reloaded: outcome.reloaded)) ?? Summary()
    var late = await writeFailed(outcome.records, reloaded: outcome.reloaded)
    await library.close()
    await display.finish()
    do {
      try report(summary)
    } catch {
      late = late ?? ProgramFailure(wrapping: error)
    }
    let outputFailure = await display.outputFailure
    let code = printSummary(
      outcome, summary, outputFailure.map { .failed(ProgramFailure(wrapping: $0)) } ?? termination)
    guard let late else { return code }
    context.console.printError(late.message)
    return code == .success ? late.code : code
  }

  /// Prints the summary and returns the exit code. Of several conditions, the first one in the code applies.
  private func printSummary(_ outcome: AddOutcome, _ summary: Summary, _ termination: Termination)
    -> ExitCode
  {
    let console = context.console
    summary.printSummary(context)
    switch termination {
    case .idle: break
    case .paused(let sentence): console.printNote(sentence)
    case .failed(let failure) where failure.code == .interrupted:
      // Of a lost list nothing can be continued, as its own message says.
      if !outcome.isLost { console.printNote(interruption(of: outcome)) }
      return .interrupted
    case .failed(let failure):
      console.printError(failure.message)
      return failure.code
    case .detached:
      if outcome.isUnread, !outcome.isLost {
        console.printNote(interruption(of: outcome))
      } else if !outcome.isLost {
        console.printNote(
          "\(library.owner) continues the downloads; \(context.hint("watch")) shows their progress."
        )
      }
      return .interrupted
    case .abandoned:
      console.printError("\(library.owner) has exited; downloaded data is kept")
      return .interrupted
    }
    if summary.removedCount > 0 {
      console.printError(
        summary.removedCount == 1
          ? "the record was removed meanwhile, by itself or with the whole library"
          : "\(summary.removedCount) records were removed meanwhile, by themselves or with the whole library"
      )
    }
    if summary.counts.failed > 0 || summary.notReloaded > 0 || outcome.problemCount > 0
      || outcome.onlyFailuresRemain
    {
      return .someFailed
    }
    var codes = outcome.failures.map(\.code)
    if summary.removedCount > 0 { codes.append(.usage) }
    if case .paused = termination { codes.append(.interrupted) }
    return ExitCode.first(of: codes)
  }

  /// Returns the sentence about an interrupt. The source that it kept from being read is not added, also if
  /// its bytes so far are kept for the next attempt.
  private func interruption(of outcome: AddOutcome) -> String {
    outcome.isUnread
      ? "Interrupted; nothing was added. Run the same command again to add the source."
      : "Interrupted; downloaded data is kept. Run the same command again to continue."
  }

  /// Returns a sentence with the reason for the pause and the command that resumes the downloads; nil if the
  /// records are finished or not paused.
  func pause(of outcome: AddOutcome) async throws -> String? {
    var paused: [Record] = []
    var isUnsettled = false
    for id in outcome.records {
      guard let record = try await library.store.record(id),
        record.unfinishedCount(settling: outcome.settledCounts[id]) > 0
      else { continue }
      isUnsettled = true
      if record.isPaused { paused.append(record) }
    }
    guard isUnsettled else { return nil }
    if try await library.store.libraryState().isPaused {
      return "The library is paused; continue with \(context.hint("resume"))."
    }
    guard let first = paused.first else { return nil }
    let title = Console.escaped(first.title)
    return paused.count == 1
      ? "\(title) is paused; continue with \(context.hint("resume"))."
      : "\(title) and \(paused.count - 1) more are paused; continue with \(context.hint("resume"))."
  }
}

extension Record {
  /// Whether an engine has no resources of the record left to download without a viewer's request.
  var isSettled: Bool { unfinishedCount(settling: nil) == 0 }

  /// Returns the number of resources that an engine downloads without a viewer's request.
  /// - Parameter settledCount: The number of settled resources before they were queued again, which are
  ///   downloaded of a lazy record as well; nil if none were.
  func unfinishedCount(settling settledCount: Int?) -> Int {
    isLazy
      ? max(counts.named, (settledCount ?? 0) - counts.settled) : counts.total - counts.settled
  }
}
