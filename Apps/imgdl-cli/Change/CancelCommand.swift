import CommandLine
import Composition
import LibraryAPI
import Models
import ProgramSupport

/// The command `cancel RECORD`: cancels the resources of a record that have not been downloaded yet.
enum CancelCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let record = try await context.record()
    let count = try await context.act { try await $0.service.cancel(record.id) }
    let title = Console.escaped(record.title)
    context.console.printNote(
      count == 0
        ? "\(title): nothing to cancel"
        : "\(title): \(Summary.count(count, "resource")) cancelled; download them after all "
          + "with \(context.hint("retry"))")
    return .success
  }
}
