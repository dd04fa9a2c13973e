import CommandLine
import Composition
import LibraryAPI
import Models
import ProgramSupport
import SystemCalls

/// The command `remove RECORD`: deletes a record and its files.
enum RemoveCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let record = try await context.record()
    let count = Summary.count(record.counts.total, "resource")
    try Confirmation.request(
      context,
      "Delete \"\(record.title)\" with its \(count)?")
    try await context.act { try await $0.service.remove(record.id) }
    context.console.printNote("\(Console.escaped(record.title)): removed")
    return .success
  }
}

/// The command `reset`: restores the library to its state at the first launch.
enum ResetCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    guard FileSystem.exists(context.layout.internals) else {
      context.console.printNote("There is no library at \(context.library).")
      return .success
    }
    try Confirmation.request(context, "Delete everything in \(context.library)?")
    try await context.act { try await $0.service.reset() }
    context.console.printNote("The library \(context.library) is empty.")
    return .success
  }
}
