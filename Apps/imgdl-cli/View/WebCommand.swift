import CommandLine
import Composition
import LibraryAPI
import ProgramSupport

/// The command `web`: enables the library's web page, and prints a link that logs a browser in.
enum WebCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    if context.invocation.flag("stop") { return try await stop(context) }
    let library = try await context.connectToDaemon()
    defer { Task { await library.close() } }
    guard library.isDaemon else {
      throw ProgramFailure(
        .locked,
        "only imgdld serves the web page, and process \(library.processID) uses the library; "
          + "repeat the command when that process has exited")
    }
    let port = context.invocation.integer("port").map { UInt16($0) }
    if context.invocation.flag("token") {
      if try await library.webPage() == nil || port != nil {
        _ = try await open(library, port)
      }
      context.console.print(try await library.webToken())
      return .success
    }
    let link = try await open(library, port)
    context.console.print(link.login)
    context.console.printNote(
      "The link works once, within 60 seconds. To disable the page: imgdl-cli web --stop")
    if !context.invocation.flag("no-open"), Browser.isAvailable {
      do {
        try Browser.open(link.login, fileIn: context.library)
      } catch {
        context.console.printNote("The browser was not opened: \(error)")
      }
    }
    return .success
  }

  /// Enables the page. The error about a port of another program names the option that chooses the port.
  private static func open(
    _ library: LibraryConnection, _ port: UInt16?
  ) async throws -> LibraryConnection.WebLink {
    do throws(LibraryError) {
      return try await library.openWebPage(port: port)
    } catch {
      guard error.code == .locked else { throw error }
      throw ProgramFailure(.locked, "\(error.detail); choose another one with --port")
    }
  }

  private static func stop(_ context: Context) async throws -> ExitCode {
    if let library = try await context.running(), library.isDaemon {
      defer { Task { await library.close() } }
      try await library.closeWebPage()
    } else if try !LibraryOpener.disableWebPage(at: context.library) {
      context.console.printNote("The web page of \(context.library) was not enabled.")
      return .success
    }
    Browser.removeFile(in: context.library)
    context.console.printNote("The web page is disabled; all browsers are logged out.")
    return .success
  }
}
