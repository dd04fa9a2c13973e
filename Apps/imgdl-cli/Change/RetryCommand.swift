import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport

/// The command `retry [RECORD]`: downloads only the failed resources again.
enum RetryCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let only = try await context.optionalRecord()
    return try await CommandRun.run(context) { job in
      var outcome = CommandRun.AddOutcome()
      for id in try await job.records(only, where: { $0.counts.failed > 0 }) {
        if let record = try await job.library.store.record(id) { outcome.record(record) }
      }
      let count = try await job.library.service.retry(only)
      if count == 0 { await job.display.printMessage(.note("Nothing has failed.")) }
      return outcome
    }
  }
}

extension CommandRun {
  /// Returns the record `only`, or all records that satisfy the condition if `only` is nil.
  func records(
    _ only: RecordID?, where isWanted: (Record) -> Bool
  ) async throws -> [RecordID] {
    if let only { return [only] }
    var found: [RecordID] = []
    var offset = 0
    while case let page = try await library.store.records(offset: offset, limit: 500),
      !page.isEmpty
    {
      offset += page.count
      found += page.filter(isWanted).map(\.id)
    }
    return found
  }
}
