import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport

/// The command `retry [RECORD]`: downloads only the failed resources again. An engine of this process also
/// continues what an earlier run has left unfinished, and the result of the run includes these records.
enum RetryCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let only = try await context.optionalRecord()
    return try await CommandRun.run(context) { job in
      var outcome = CommandRun.AddOutcome()
      for id in try await job.records(only, where: { $0.counts.failed > 0 }) {
        if let record = try await job.library.store.record(id) { outcome.record(record) }
      }
      if only == nil { outcome.record(try await job.unfinishedRecords()) }
      try await job.passOptions(to: only)
      let count = try await job.library.service.retry(only)
      if count == 0, only != nil || outcome.records.isEmpty {
        await job.display.printMessage(.note("Nothing has failed in \(context.library)."))
      }
      return outcome
    }
  }
}

extension CommandRun {
  /// Gives the requests for a record the options of this command; nil means all failed and unfinished ones.
  func passOptions(to record: RecordID?) async throws {
    if !options.isEmpty { try await library.service.setOptions(options, of: record) }
  }

  /// Returns the records that the engine of this process downloads without a request; none if another process
  /// has the engine, or while the library is paused.
  fileprivate func unfinishedRecords() async throws -> [RecordID] {
    guard library.engine != nil, try await !library.store.libraryState().isPaused else { return [] }
    return try await records(nil) { !$0.isSettled && !$0.isPaused }
  }

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
