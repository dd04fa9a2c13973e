import CommandLine
import Composition
import LibraryAPI
import Models
import ProgramSupport
import SystemCalls

/// The command `remove RECORD`: deletes a record and its files, or leaves these where they are.
enum RemoveCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let record = try await context.record()
    let count = Summary.count(record.counts.total, "resource")
    let keepsFiles = context.invocation.isGiven("keep-files")
    try Confirmation.request(
      context,
      keepsFiles
        ? "Remove \"\(record.title)\" from the library and keep its files?"
        : "Delete \"\(record.title)\" with its \(count)?")
    let left = try await context.act {
      try await $0.service.remove(record.id, keepingFiles: keepsFiles)
    }
    let place =
      keepsFiles ? "; its files stay in \(Console.escaped(context.layout.folder(of: record)))" : ""
    context.console.printNote("\(Console.escaped(record.title)): removed\(place)")
    return context.report(left)
  }
}

extension Context {
  /// Names the files that could not be deleted.
  fileprivate func report(_ left: Leftovers) -> ExitCode {
    guard !left.isEmpty else { return .success }
    for description in left.descriptions { console.printError(Console.escaped(description)) }
    let more = left.count - left.descriptions.count
    if more > 0 { console.printError("\(Summary.count(more, "more file")) cannot be deleted") }
    return .someFailed
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
    let left = try await context.act { try await $0.service.reset() }
    context.console.printNote("The library \(context.library) is empty.")
    return context.report(left)
  }
}
