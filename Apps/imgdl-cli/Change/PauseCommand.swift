import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import SystemCalls

/// The command `pause [RECORD]`: stops downloads until `resume`.
enum PauseCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let isLibrary = context.invocation.argument("RECORD") == nil
    if isLibrary, !FileSystem.exists(context.layout.internals) { return nothing(context) }
    let record = try await context.optionalRecord()
    let count = try await context.act { try await $0.service.pause(record) }
    guard count > 0 else { return try await printNothingToPause(record, context) }
    context.console.printNote(
      "Paused: \(Summary.count(count, "resource")) wait until \(context.hint("resume")).")
    return .success
  }

  private static func printNothingToPause(
    _ record: RecordID?, _ context: Context
  ) async throws -> ExitCode {
    let isPaused = try await context.withStore { store in
      if let record { return try await store.record(record)?.isPaused ?? false }
      return try await store.libraryState().isPaused
    }
    guard isPaused ?? false else { return nothing(context) }
    context.console.printNote("Already paused; continue with \(context.hint("resume")).")
    return .success
  }

  /// Reports that no downloads were paused. The exit code is 0, as a disabled button is no error (DL6).
  private static func nothing(_ context: Context) -> ExitCode {
    context.console.printNote("Nothing to pause.")
    return .success
  }
}
