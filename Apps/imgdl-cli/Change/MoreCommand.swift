import CommandLine
import Composition
import LibraryAPI
import Models
import ProgramSupport

/// The command `more RECORD`: loads the next page of the record's source.
enum MoreCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let record = try await context.record()
    return try await CommandRun.run(context) { job in
      var outcome = CommandRun.AddOutcome()
      let count = try await job.library.service.loadMore(record.id)
      await job.display.printMessage(
        .note(
          count == 0
            ? "\(record.title): no further page"
            : "\(record.title): \(count) more \(count == 1 ? "entry" : "entries")"))
      // A page of a listing may name further folders, which are records of their own.
      if count > 0 { outcome.record(try await job.siblings(of: record)) }
      return outcome
    }
  }
}
