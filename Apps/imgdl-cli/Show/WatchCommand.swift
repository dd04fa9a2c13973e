import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import ProgressTree

/// The command `watch`: shows the progress of the library's running engine until its work is done.
enum WatchCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    guard let library = try await context.runningOrSilent() else {
      context.console.printNote("No program is downloading for the library \(context.library).")
      return try await exitCodeWithoutEngine(context)
    }
    return try await follow(library, context)
  }

  private static func follow(
    _ library: LibraryConnection, _ context: Context
  ) async throws -> ExitCode {
    let display = ProgressDisplay(context, library)
    let interrupts = try Interrupts()
    let following = RecordFollower(library, await display.startRelaying())
    guard let status = try? await library.service.status() else {
      // The engine ended before it reported its records, so only the store shows the remaining work.
      await display.stop()
      await library.close()
      await display.finish()
      return try await exitCodeWithoutEngine(context)
    }
    if !status.progress.records.isEmpty {
      await display.printMessage(
        .note(
          "Records that \(library.program ?? "a program") (process \(library.processID)) has downloaded since its "
            + "start, or still has to:"))
    }
    await display.show(only: nil)
    var records = Set(status.progress.records.map(\.id))
    var failure: (any Error)?
    do {
      records.formUnion(
        try await interrupts.during {
          library.isDaemon
            ? try await following.waitUntilIdle() : try await following.waitUntilEngineEnds()
        })
    } catch {
      failure = error
    }
    await display.stop()
    let summary = try? await Summary.make(library.store, records: records.sorted())
    await library.close()
    await display.finish()
    if interrupts.wasInterrupted { return .interrupted }
    if let failure { throw failure }
    // The engine has ended and the rows cannot be read, so the work may not be finished.
    guard let summary else { return .interrupted }
    if summary.counts.settled < summary.counts.total, library.isDaemon,
      let next = await context.restarted(library)
    {
      context.console.printNote("\(library.owner) has restarted and continues.")
      return try await follow(next, context)
    }
    summary.printSummary(context)
    return code(summary.counts)
  }

  /// Returns the exit code for a library without a running engine, which depends on the remaining work.
  private static func exitCodeWithoutEngine(_ context: Context) async throws -> ExitCode {
    guard let counts = try await context.withStore({ try await $0.totals() }) else {
      throw context.noLibrary
    }
    return code(counts)
  }

  private static func code(_ counts: ResourceCounts) -> ExitCode {
    if counts.failed > 0 { return .someFailed }
    return counts.settled < counts.total ? .interrupted : .success
  }
}
