import CommandLine
import Composition
import LibraryAPI
import Models
import ProgramSupport

/// The command `fetch URL`: gets one resource from the library or, if necessary, from its server.
enum FetchCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let policy = try policy(context.invocation)
    let url = try Sources.url(context.invocation.argument("URL") ?? "")
    let options = try context.requestOptions()
    try OutputFile.requireFileName(context)
    if let output = context.invocation.value("output") {
      try await context.refuseFileOfLibrary(output)
    }
    let interrupts = try Interrupts()
    do {
      return try await context.withConnection { library in
        // The engine does not start queued downloads, because the user has requested only this resource.
        try await library.engine?.start(takesQueue: false)
        let resource = try await interrupts.during {
          do {
            return try await library.service.resource(
              at: url, policy, library.passed(options))
          } catch  where interrupts.wasInterrupted {
            throw ProgramFailure(.interrupted, "interrupted")
          }
        } onInterrupt: {
          await library.engine?.interrupt()
        }
        try await writeOutput(of: resource, context)
        return .success
      }
    } catch  where interrupts.wasInterrupted {
      throw ProgramFailure(.interrupted, "interrupted")
    }
  }

  private static func policy(_ invocation: Invocation) throws -> CachePolicy {
    switch (invocation.flag("refresh"), invocation.flag("reload")) {
    case (true, true): throw invocation.usageError("--refresh and --reload exclude each other")
    case (true, false): .validated
    case (false, true): .reloaded
    case (false, false): .cached
    }
  }

  /// Writes the resource to the requested output, while the connection to the library is open, because the
  /// file may be evicted after the connection is closed.
  private static func writeOutput(of resource: CachedResource, _ context: Context) async throws {
    switch context.invocation.value("output") {
    case nil: context.console.print(resource.path)
    case "-": try OutputFile.print(resource.path)
    case let name?: try await OutputFile.copy(resource.path, to: name)
    }
  }
}
