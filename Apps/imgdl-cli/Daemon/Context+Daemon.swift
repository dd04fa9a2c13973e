import CommandLine
import Composition
import Models
import ProgramSupport

/// Connections of commands to the imgdld of the library.
extension Context {
  /// Returns a connection to the engine that runs in another process, or nil if no engine runs.
  func running() async throws -> LibraryConnection? {
    try await LibraryOpener.running(at: library, settings: settings)
  }

  /// Starts imgdld with the settings of this command line, and connects to it.
  func startDaemon() async throws -> LibraryConnection {
    do {
      return try await LibraryOpener.connectInBackground(
        at: library, settings: settings, overriding: flagsAsText)
    } catch let error as DaemonStartError {
      let code = error.exitCode.flatMap { ExitCode(rawValue: $0) } ?? .internalError
      throw ProgramFailure(code, error.description)
    }
  }

  /// Connects to the running engine, or starts imgdld and connects to its engine.
  func connectToDaemon() async throws -> LibraryConnection {
    guard let connection = try await running() else { return try await startDaemon() }
    if !connection.isDaemon {
      console.printNote(
        "\(connection.owner) uses the library and downloads; what is unfinished when it exits is "
          + "continued by the next imgdl-cli or imgdld.")
    } else if !loaded.fromFlags.isEmpty {
      console.printNote("\(connection.owner) runs the engine of this library; its settings apply.")
    }
    return connection
  }

  private var flagsAsText: [(key: String, value: String)] {
    SettingsSchema.keys.filter { loaded.fromFlags.contains($0.name) }.map { key in
      switch key.value(in: settings) {
      case .text(let text): (key.name, text)
      case .list(let list): (key.name, list.joined(separator: "\n"))
      case let value: (key.name, value.description)
      }
    }
  }
}
