import CommandLine
import Engine
import Models
import Persistence
import SystemCalls

/// `retry`: exactly what failed.
enum RetryCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    guard FileSystem.exists(context.layout.internals) else { throw context.noLibrary }
    var chosen: RecordID?
    if let name = context.invocation.argument("RECORD") {
      chosen = try await context.withStore { try await context.record(name, in: $0).id }
    }
    let only = chosen
    let engine = try await context.openEngine()
    return try await Job(context, engine).run { job in
      var sourcing = Job.Sourcing()
      do {
        sourcing.note(try await job.recordsToRetry(only))
        let count = try await engine.retry(only)
        if count == 0 { await job.display.tell(.note("Nothing has failed.")) }
      } catch {
        let failure = CommandFailure(wrapping: error)
        sourcing.failures.append(failure)
        if failure.code != .interrupted { await job.display.tell(.complaint(failure.message)) }
      }
      return sourcing
    }
  }
}

extension Job {
  /// The records with failures, or the one that was named.
  func recordsToRetry(_ only: RecordID?) async throws -> [RecordID] {
    if let only { return [only] }
    var found: [RecordID] = []
    var offset = 0
    while case let page = try await engine.store.records(offset: offset, limit: 500),
      !page.isEmpty
    {
      offset += page.count
      found += page.filter { $0.counts.failed > 0 }.map(\.id)
    }
    return found
  }
}
