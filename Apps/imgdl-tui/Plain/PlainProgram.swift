import Glibc
import ImgdlLibrary
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import SystemCalls
import Threading

/// The program in lines: what is typed is answered, and what happens is said, one line each.
/// Nothing is ever drawn over, so that a screen reader reads everything once.
struct PlainProgram {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func run() async throws -> ExitCode {
    let opened = try await LibraryOpening.connect(options.library, options.loaded)
    let connection = opened.connection
    if let warning = opened.warning { PlainText.say(warning) }
    let events = await connection.service.eventStream()
    try await connection.engine?.start()
    let telling = Task {
      var news = PlainNews(store: connection.store)
      for await event in events {
        for line in await news.lines(for: event) { PlainText.say(line) }
      }
    }
    PlainText.say("imgdl, library \(options.library). Type help for the commands.")
    var desk = PlainDesk(connection, defaultSource: options.loaded.settings.source.default)
    try await desk.answer("list")
    for await line in Self.lines() {
      guard try await desk.answer(line) else { break }
    }
    telling.cancel()
    if connection.engine != nil {
      PlainText.say("Downloads have stopped; the next start continues them.")
    }
    await connection.close()
    return .done
  }

  /// Standard input, read on a thread of its own.
  private static func lines() -> AsyncStream<String> {
    AsyncStream { continuation in
      do {
        try BlockingThread("plain-input") {
          while let line = readLine() { continuation.yield(line) }
          continuation.finish()
        }
      } catch {
        continuation.finish()
      }
    }
  }
}

enum PlainText {
  /// One line, at once. What servers named cannot steer the terminal, and credentials in URLs are masked.
  static func say(_ text: String) {
    var line = ""
    for scalar in CredentialMask.masked(text).unicodeScalars {
      let isControl =
        scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
      line.unicodeScalars.append(isControl ? "\u{fffd}" : scalar)
    }
    line += "\n"
    _ = line.withCString { write(1, $0, strlen($0)) }
  }
}
