import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport

/// The command `more RECORD`: loads the next page of the record's source.
enum MoreCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let record = try await context.record()
    return try await CommandRun.run(context) { job in
      var outcome = CommandRun.AddOutcome()
      try await job.passOptions(to: record.id)
      let count = try await job.library.service.loadMore(record.id)
      let sentence =
        count == 0
        ? try await nothingNew(in: record, job.library.store)
        : "\(count) more \(count == 1 ? "entry" : "entries")"
      await job.display.printMessage(.note("\(record.title): \(sentence)"))
      // A page of a listing may name further folders, which are records of their own.
      if count > 0 { outcome.record(try await job.siblings(of: record)) }
      return outcome
    }
  }

  /// Returns the reason why nothing was added to a record.
  static func nothingNew(in record: Record, _ store: any LibraryReader) async throws -> String {
    guard try await store.source(record.source)?.state.nextPage != nil,
      let first = try await store.firstRecord(of: record.source)
    else { return "no further page" }
    guard first != record.id else {
      return "the pages that were read have nothing new; there are further pages"
    }
    let title = try await store.record(first)?.title ?? ""
    return "no further page; the next page of its source continues the record \"\(title)\""
  }
}
