import Glibc
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport

/// The line-based interface: answers the commands that the user types, and prints events, each on a line.
/// Printed text is never overwritten, so that a screen reader reads all of it exactly once.
struct PlainProgram {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func run() async throws -> ExitCode {
    let opened = try await LibraryOpening.connect(options.library, options.loaded)
    let connection = opened.connection
    if let warning = opened.warning { PlainText.printLine(warning) }
    let events = await connection.service.eventStream()
    try await connection.engine?.start()
    let printing = Task {
      var printer = PlainEventPrinter(store: connection.store)
      for await event in events {
        for line in await printer.lines(for: event) { PlainText.printLine(line) }
      }
    }
    PlainText.printLine("imgdl, library \(options.library). Type help for the commands.")
    var interface = LineInterface(connection, defaultSource: options.loaded.settings.source.default)
    try await interface.printRecords()
    let input = PlainInput()
    var code = ExitCode.success
    while let line = await input.readLine() {
      let outcome = try await interface.execute(line, input)
      if outcome == .interrupted { code = .interrupted }
      guard outcome == .next else { break }
    }
    printing.cancel()
    if connection.engine != nil {
      PlainText.printLine("Downloads have stopped; the next start continues them.")
    }
    await connection.close()
    return code
  }
}

enum PlainText {
  /// Prints one line, unbuffered. Control characters, which names from a server may contain, are replaced,
  /// and credentials in URLs are masked.
  static func printLine(_ text: String) {
    let line = safe(text) + "\n"
    _ = line.withCString { write(1, $0, strlen($0)) }
  }

  /// Returns the text with its credentials masked, and with U+FFFD in place of control characters and of
  /// those that change the direction of writing.
  static func safe(_ text: String) -> String {
    CredentialMask.masked(text).unicodeScalars.reduce(into: "") { line, scalar in
      let isControl =
        scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
      line.unicodeScalars.append(isControl ? "\u{fffd}" : scalar)
    }
  }
}
