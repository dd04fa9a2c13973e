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
    else { throw context.noLibrary }
    let count = Summary.count(record.counts.total, "resource")
    try Confirmation.ask(
      context,
      "Delete \"\(record.title)\" with its \(count)?")
    let engine = try await context.openEngine()
    do {
      try await engine.remove(record.id)
    } catch {
      await engine.stop()
      throw error
    }
    await engine.stop()
    context.console.note("\(Console.escaped(record.title)): removed")
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
