import Glibc
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport

/// The program in lines: what is typed is answered, and what happens is said, one line each.
/// Nothing is ever drawn over, so that a screen reader reads everything once.
struct PlainProgram {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func run() async throws -> ExitCode {
    let opened = try await LibraryOpening.connect(options.library, options.loaded)
    let connection = opened.connection
    if let warning = opened.warning { PlainText.printLine(warning) }
    let events = await connection.service.eventStream()
    try await connection.engine?.start()
    let telling = Task {
      var news = PlainEventPrinter(store: connection.store)
      for await event in events {
        for line in await news.lines(for: event) { PlainText.printLine(line) }
      }
    }
    PlainText.printLine("imgdl, library \(options.library). Type help for the commands.")
    var desk = LineInterface(connection, defaultSource: options.loaded.settings.source.default)
    try await desk.printRecords()
    let input = PlainInput()
    var code = ExitCode.done
    while let line = await input.line() {
      let outcome = try await desk.execute(line, input)
      if outcome == .interrupted { code = .interrupted }
      guard outcome == .next else { break }
    }
    telling.cancel()
    if connection.engine != nil {
      PlainText.printLine("Downloads have stopped; the next start continues them.")
    }
    await connection.close()
    return code
  }
}

enum PlainText {
  /// One line, at once. What servers named cannot steer the terminal, and credentials in URLs are masked.
  static func printLine(_ text: String) {
    let line = safe(text) + "\n"
    _ = line.withCString { write(1, $0, strlen($0)) }
  }

  /// Without characters that steer a terminal or turn the direction of writing.
  static func safe(_ text: String) -> String {
    CredentialMask.masked(text).unicodeScalars.reduce(into: "") { line, scalar in
      let isControl =
        scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
      line.unicodeScalars.append(isControl ? "\u{fffd}" : scalar)
    }
  }
}
