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
        ? "Remove \(Self.name(record)) from the library and keep its files?"
        : "Delete \(Self.name(record)) with its \(count)?")
    let left = try await context.act {
      try await $0.service.remove(record.id, keepingFiles: keepsFiles)
    }
    let place =
      keepsFiles ? "; its files stay in \(Console.escaped(context.layout.folder(of: record)))" : ""
    context.console.printNote("\(Console.escaped(record.title)): removed\(place)")
    return context.report(left)
  }

  /// Returns the title with the folder, by which records of the same title are told apart.
  private static func name(_ record: Record) -> String {
    record.folder == record.title
      ? "\"\(record.title)\"" : "\"\(record.title)\" (folder \(record.folder))"
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
    let left: Leftovers
    do {
      left = try await context.act { try await $0.service.reset() }
    } catch  where LibraryOpener.isDamage(error) {
      return try await resetDamaged(context)
    }
    context.console.printNote("The library \(context.library) is empty.")
    return context.report(left)
  }
  /// Resets a library whose database cannot be read. Which folders are those of records only the database knew.
  private static func resetDamaged(_ context: Context) async throws -> ExitCode {
    let kept = try await LibraryOpener.resetDamaged(
      at: context.library, settings: context.settings)
    guard !kept.isEmpty else {
      context.console.printNote("The library \(context.library) is empty.")
      return .success
    }
    let shown = kept.prefix(maximumShown).map { Console.escaped($0) }.joined(separator: ", ")
    context.console.printError(
      "the library has no records any more; since its database was damaged, the folders of its records are kept, and may "
        + "be deleted by hand: \(shown)\(kept.count > maximumShown ? ", …" : "")")
    return .someFailed
  }

  /// The largest number of folders that are named.
  private static let maximumShown = 20
}
