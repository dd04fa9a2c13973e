import CommandLine
import Composition
import LibraryAPI
import Models
import ProgramSupport
import SystemCalls

/// Connections of commands to the imgdld of the library.
extension Context {
  /// Returns a connection to the engine that runs in another process, or nil if no engine runs.
  func running() async throws -> LibraryConnection? {
    try await LibraryOpener.running(at: library, settings: settings)
  }

  /// Returns a connection to the engine that runs in another process, or nil if no process uses the library.
  /// - Throws: `locked` if a process uses the library and cannot be reached.
  func runningOrSilent() async throws -> LibraryConnection? {
    if let connection = try await running() { return connection }
    switch await otherEngine() {
    case .none: return nil
    case .running: return try await running()
    case .silent(let holder, let isStopped):
      throw ProgramFailure(.locked, holder.silence(isStopped: isStopped))
    }
  }

  /// Starts imgdld, and connects to it.
  /// - Parameter loaded: Its settings; nil for those of this command line without the options of requests.
  func startDaemon(with loaded: LoadedSettings? = nil) async throws -> LibraryConnection {
    let loaded = loaded ?? ofEngine
    let note = noteOfNewLibrary
    do {
      let connection = try await LibraryOpener.connectInBackground(
        at: library, settings: loaded.settings, overriding: Self.flagsAsText(loaded))
      if let note { console.printNote(note) }
      return connection
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
    }
    return connection
  }

  /// Returns a connection to the imgdld that has restarted in the process of an earlier connection; nil if that process
  /// has given up the library, or does not listen in time.
  /// - Parameter isLost: Whether the earlier connection has ended, so that a process with which another one can be made
  ///   has not restarted.
  func restarted(
    _ old: LibraryConnection, isLost: Bool = true
  ) async -> LibraryConnection? {
    let deadline = Machine.monotonicNanoseconds &+ Self.restartTimeout
    while LibraryHolder.current(layout)?.process == old.processID {
      if let new = try? await running() {
        if new.run != old.run { return new }
        await new.close()
        if isLost { return nil }
      }
      guard Machine.monotonicNanoseconds < deadline, !Task.isCancelled else { return nil }
      try? await Task.sleep(for: .milliseconds(20))
    }
    return nil
  }

  /// The time in nanoseconds that an imgdld may take to stop and to listen again.
  private static let restartTimeout: UInt64 = 10_000_000_000

  private static func flagsAsText(_ loaded: LoadedSettings) -> [(key: String, value: String)] {
    SettingsSchema.keys.filter { loaded.fromFlags.contains($0.name) }.map { key in
      switch key.value(in: loaded.settings) {
      case .text(let text): (key.name, text)
      case .list(let list): (key.name, list.joined(separator: "\n"))
      case let value: (key.name, value.description)
      }
    }
  }
}
