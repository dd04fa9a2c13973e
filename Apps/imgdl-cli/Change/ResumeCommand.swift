import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport

/// The command `resume [RECORD]`: continues paused or interrupted downloads.
enum ResumeCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let only = try await context.optionalRecord()
    return try await CommandRun.run(context) { job in
      var outcome = CommandRun.AddOutcome()
      let records = try await job.records(only) { !$0.isSettled }
      try await job.passOptions(to: only)
      let count = try await job.library.service.resume(only)
      if try await job.areFinished(records) {
        // Paused downloads of lazy records are continued by the viewers and clients that have started them.
        await job.display.printMessage(.note(count > 0 ? "Resumed." : "Nothing to resume."))
      }
      outcome.record(records)
      return outcome
    }
  }
}

extension CommandRun {
  fileprivate func areFinished(_ records: [RecordID]) async throws -> Bool {
    for id in records {
      if let record = try await library.store.record(id), !record.isSettled { return false }
    }
    return true
  }
}
