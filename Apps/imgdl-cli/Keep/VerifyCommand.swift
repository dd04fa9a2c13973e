import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import SystemCalls
import Verification

/// The command `verify`: compares every file with the library's store.
enum VerifyCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    guard FileSystem.exists(context.layout.internals) else { throw context.noLibrary }
    let layout = context.layout
    if context.invocation.flag("dry-run") {
      let code = try await context.withStore { store in
        try await verify(LibraryVerifier(layout: layout, store: store), context) { nil }
      }
      return code ?? .success
    }
    return try await context.act { library in
      let service = library.service
      let verifier = LibraryVerifier(layout: layout, store: library.store) {
        _ = try await service.requeue($0, reason: $1)
      }
      return try await verify(verifier, context) {
        guard library.engine == nil,
          (try? await library.store.libraryState().isPaused) == false
        else { return nil }
        return "\(library.program ?? "the program") (process \(library.processID))"
      }
    }
  }

  /// - Parameter downloader: Returns the program that downloads at once what is queued again; nil if none does.
  private static func verify(
    _ verifier: LibraryVerifier, _ context: Context, downloader: () async -> String?
  ) async throws -> ExitCode {
    let interrupts = try Interrupts()
    let display = VerifyDisplay(context)
    await display.start()
    let report: VerifyReport
    let readsData = context.invocation.flag("read-data")
    do {
      report = try await interrupts.during {
        try await verifier.run(
          readingData: readsData, found: { await display.printFinding($0) },
          progress: { display.update($0) })
      }
    } catch {
      await display.stop()
      // An interrupt must not be mistaken for the end of an engine, after which `act` would retry.
      if interrupts.wasInterrupted { throw ProgramFailure(.interrupted, "interrupted") }
      throw error
    }
    await display.stop()
    for problem in report.storeProblems.prefix(FailureReport.limit) {
      context.console.printError(problem)
    }
    let unreportedCount = report.storeProblems.count - FailureReport.limit
    if unreportedCount > 0 {
      context.console.printError("\(unreportedCount) more problems of the store")
    }
    VerifyLine.summarize(report, context, downloader: await downloader())
    if !report.storeProblems.isEmpty { return .disk }
    return report.isSound ? .success : .someFailed
  }
}
