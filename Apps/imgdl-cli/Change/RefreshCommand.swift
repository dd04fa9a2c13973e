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
    let name = context.invocation.argument("RECORD")
    guard (name == nil) == context.invocation.flag("all") else {
      throw context.invocation.usageError(
        name == nil
          ? "expected RECORD, or --all for the sources of all records"
          : "RECORD and --all exclude each other", code: name == nil ? .missingArgument : .conflict)
    }
    let found = try await context.withStore { store in
      guard let name else { return try await all(in: store) }
      return [(name, try await find(name, store, context))]
    }
    guard let found else { throw context.noLibrary }
    if found.isEmpty { context.console.printNote("No record has a source that can be read again.") }
    return try await CommandRun.run(context) { job in
      var outcome = CommandRun.AddOutcome()
      for (name, record) in found where !Task.isCancelled {
        do {
          try await job.refresh(name, record, &outcome)
        } catch {
          // The failure of one source does not keep the others from being read.
          guard found.count > 1 else { throw error }
          try await job.failed(error, &outcome)
        }
      }
      return outcome
    }
  }

  /// Returns the first record of each source that can be read again, with the source as the user named it. Standard
  /// input cannot, and what a client of the aria2 interface adds has no source.
  private static func all(
    in store: any LibraryReader
  ) async throws -> [(name: String, record: Record)] {
    var found: [(name: String, record: Record)] = []
    var sources: Set<SourceID> = []
    var offset = 0
    while case let page = try await store.records(offset: offset, limit: 500), !page.isEmpty {
      offset += page.count
      for record in page where !record.isQueuedByClient && sources.insert(record.source).inserted {
        guard let source = try await store.source(record.source)?.draft,
          !source.key.hasPrefix("content:")
        else { continue }
        found.append((CredentialMask.masked(source.location), record))
      }
    }
    return found
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
  fileprivate func refresh(
    _ name: String, _ record: Record, _ outcome: inout AddOutcome
  ) async throws {
    await display.reading(name)
    let result: RefreshResult
    do {
      try await passOptions(to: record.id)
      result = try await library.service.refresh(record.id)
    } catch {
      await display.reading(nil)
      let failure = ProgramFailure(wrapping: error)
      guard failure.code == .network, await DemoCommand.isSource(of: record, in: library.store)
      else { throw error }
      throw ProgramFailure(
        .network, "\(failure.message); the server of the sample ran only during imgdl-cli demo")
    }
    await display.reading(nil)
    await printProblems(result.problems, result.problems.count, of: name)
    await display.printMessage(.note("\(name): \(RefreshCommand.sentence(result))"))
    if result.newEntries > 0 { outcome.record(try await siblings(of: record)) }
    outcome.record(result)
  }

  /// Returns all records of the same source, the given one included.
  func siblings(of record: Record) async throws -> [RecordID] {
    try await library.store.records(of: record.source).map(\.id)
  }
}
