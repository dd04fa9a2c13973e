import CommandLine
import Engine
import ImgdlLibrary
import Models
import Persistence
import SystemCalls

/// `remove RECORD`: deletes it with its files.
enum RemoveCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let name = context.invocation.argument("RECORD") ?? ""
    guard let record = try await context.withStore({ try await context.record(name, in: $0) })
    else { throw CommandFailure(.usage, "there is no library at \(context.library)") }
    let title = Console.escaped(record.title)
    try Confirmation.ask(
      context, "Delete \(title) with its \(record.counts.total) resources?")
    let engine = try await context.openEngine()
    do {
      try await engine.remove(record.id)
    } catch {
      await engine.stop()
      throw error
    }
    await engine.stop()
    context.console.note("\(title): removed")
    return .done
  }
}

/// `reset`: the library as on first launch.
enum ResetCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    guard FileSystem.exists(context.layout.internals) else {
      context.console.note("There is no library at \(context.library).")
      return .done
    }
    try Confirmation.ask(context, "Delete everything in \(context.library)?")
    let engine = try await context.openEngine()
    do {
      try await engine.reset()
    } catch {
      await engine.stop()
      throw error
    }
    await engine.stop()
    context.console.note("The library \(context.library) is empty.")
    return .done
  }
}

/// `retry`: exactly what failed.
enum RetryCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    var chosen: RecordID?
    if let name = context.invocation.argument("RECORD") {
      chosen = try await context.withStore { try await context.record(name, in: $0).id }
    }
    let engine = try await context.openEngine()
    let only = chosen
    return try await Job(context: context, engine: engine).run { job in
      var sourcing = Job.Sourcing()
      do {
        let records = try await job.recordsToRetry(only)
        let count = try await engine.retry(only)
        if count == 0 { job.context.console.note("Nothing has failed.") }
        sourcing.records = records
      } catch let error as EngineError {
        sourcing.failures.append(CommandFailure(error))
      } catch {
        sourcing.failures.append(CommandFailure(Failures.code(for: error), "\(error)"))
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
