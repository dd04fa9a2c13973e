import CommandLine
import Composition
import LibraryAPI
import Models
import ProgramSupport

/// The command `reload RECORD`: downloads all resources of a record again.
enum ReloadCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let record = try await context.record()
    return try await CommandRun.run(context) { job in
      var outcome = CommandRun.AddOutcome()
      outcome.recordReload(of: record)
      try await job.passOptions(to: record.id)
      _ = try await job.library.service.reload(record.id)
      return outcome
    }
  }
}
