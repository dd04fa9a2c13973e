import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport

/// The command `refresh RECORD`: reads the record's source again, adds its new entries and records, and
/// downloads them.
enum RefreshCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let name = context.invocation.argument("RECORD") ?? ""
    guard let record = try await context.withStore({ try await find(name, $0, context) })
    else { throw context.noLibrary }
    return try await CommandRun.run(context) { job in
      var outcome = CommandRun.AddOutcome()
      await job.display.reading(name)
      let result: RefreshResult
      do {
        result = try await job.library.service.refresh(record.id)
      } catch {
        await job.display.reading(nil)
        throw error
      }
      await job.display.reading(nil)
      await job.printProblems(result.problems, result.problems.count, of: name)
      await job.display.printMessage(.note("\(name): \(sentence(result))"))
      if result.newEntries > 0 { outcome.record(try await job.siblings(of: record)) }
      outcome.record(result)
      return outcome
    }
  }

  static func sentence(_ result: RefreshResult) -> String {
    if result.isUnchanged { return "unchanged" }
    var parts: [String] = []
    if result.newEntries > 0 { parts.append(newEntryText(count: result.newEntries)) }
    if !result.newRecords.isEmpty {
      parts.append(Summary.count(result.newRecords.count, "new record"))
    }
    return parts.isEmpty ? "nothing new" : parts.joined(separator: ", ")
  }

  private static func newEntryText(count: Int) -> String {
    count == 1 ? "1 new entry" : "\(count) new entries"
  }

  /// Finds a record by the URL or path of its source, or else by its number, title or folder.
  private static func find(
    _ name: String, _ store: any LibraryReader, _ context: Context
  ) async throws -> Record {
    if let key = SourceKey.key(name), let source = try await store.source(key: key),
      let record = try await store.records(of: source.id).first
    {
      return record
    }
    return try await context.record(name, in: store)
  }
}

extension CommandRun {
  /// Returns all records of the same source, the given one included.
  func siblings(of record: Record) async throws -> [RecordID] {
    try await library.store.records(of: record.source).map(\.id)
  }
}
