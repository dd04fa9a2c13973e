import Composition
import LibraryAPI
import Models

/// Connects to the engine that downloads (DL12): a running one, or else that of an imgdld which is started.
/// With `background = off`, or if imgdld cannot be started, the engine runs in this process.
enum LibraryOpening {
  static func connect(
    _ path: String, _ loaded: LoadedSettings
  ) async throws -> (connection: LibraryConnection, warning: String?) {
    var warning: String?
    if loaded.settings.background == .auto {
      do {
        if let running = try await LibraryOpener.running(at: path, settings: loaded.settings) {
          return (running, nil)
        }
        try await LibraryOpener.startDaemon(at: path, settings: flagsAsText(loaded))
        if let running = try await LibraryOpener.running(at: path, settings: loaded.settings) {
          return (running, nil)
        }
      } catch let error as DaemonStartError {
        warning = "imgdld cannot be started (\(error.description)): downloads stop with this window"
      }
    }
    let own: LibraryConnection
    do {
      own = try await LibraryOpener.connect(
        at: path, settings: loaded.settings, overriding: loaded.fromFlags)
    } catch let error as LibraryError where error.code == .io || error.code == .diskFull {
      guard
        let looking = await LibraryOpener.openReadOnly(
          at: path, settings: loaded.settings, because: error)
      else { throw error }
      return (looking, error.detail)
    }
    return (own, warning ?? own.problem.map { "Other programs cannot control this one: \($0)" })
  }

  /// Whether an engine runs for the library in another process.
  static func isRunning(_ path: String) async -> Bool {
    await LibraryOpener.runningStatus(at: path) != nil
  }

  /// Returns the settings that the command line gave, as text, so that they can be passed to imgdld.
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
