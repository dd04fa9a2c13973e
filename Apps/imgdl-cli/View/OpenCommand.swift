import CommandLine
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import SystemCalls

/// The command `open RECORD [N]`: prints the path of a record's folder or of a file in it, and opens it on a desktop.
enum OpenCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let name = context.invocation.argument("RECORD") ?? ""
    let index = context.invocation.argument("N").flatMap { Int($0) }
    let found = try await context.withStore { store in
      let record = try await context.record(name, in: store)
      let folder = "\(context.layout.root)/\(record.folder)"
      guard let index else { return folder }
      let row = try await store.resources(of: record.id, offset: index - 1, limit: 1).first
      guard let row else { throw ProgramFailure(.usage, "\(name) has no resource \(index)") }
      guard let file = row.file?.name else {
        throw ProgramFailure(.source, "resource \(index) of \(name) has not been downloaded")
      }
      return "\(folder)/\(file)"
    }
    guard let path = found else { throw context.noLibrary }
    guard FileSystem.exists(path) else {
      throw ProgramFailure(
        .source, "\(path) does not exist: nothing of it has been downloaded, or it was deleted")
    }
    context.console.print(Console.visible(path))
    if Browser.isAvailable { try Browser.open(path) }
    return .success
  }
}
