import CommandLine
import Composition
import LibraryAPI
import Models
import ProgramSupport

/// The command `priority RECORD low|normal|high`: sets the priority of a record's downloads.
enum PriorityCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let name = context.invocation.argument("PRIORITY") ?? ""
    guard let priority = RecordPriority(name: name) else {
      throw context.invocation.usageError("there is no priority \(name)", code: .invalidValue)
    }
    let record = try await context.record()
    try await context.act { try await $0.service.setPriority(priority, of: record.id) }
    context.console.printNote("\(Console.escaped(record.title)): priority \(name)")
    return .success
  }
}
