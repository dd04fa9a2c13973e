import Control
public import Models
import SystemCalls

extension LibraryOpener {
  /// Connects to the engine that runs for a library. If none runs, starts an imgdld for the library, which
  /// keeps running when this program ends.
  ///
  /// If `overriding` is empty and systemd listens for the default library, systemd starts the imgdld.
  /// - Parameters:
  ///   - path: The library's folder; created if it is missing.
  ///   - overriding: The names and values, as text, of settings that take precedence over those of files and
  ///     environment.
  /// - Throws: `DaemonStartError` when imgdld cannot be started, and the errors of `running`.
  public static func connectInBackground(
    at path: String, settings: Settings, overriding: [(key: String, value: String)] = []
  ) async throws -> LibraryConnection {
    if let connection = try await running(at: path, settings: settings) { return connection }
    if overriding.isEmpty, await wakeService(for: path),
      let connection = try await running(at: path, settings: settings)
    {
      return connection
    }
    try await startDaemon(at: path, settings: overriding)
    guard let connection = try await running(at: path, settings: settings) else {
      throw DaemonStartError(
        exitCode: nil, description: "imgdld was started, but does not accept connections")
    }
    return connection
  }

  /// Makes systemd start its imgdld, if systemd listens for the default library and that is the library at
  /// `path`.
  /// - Returns: Whether an imgdld responds for the library.
  private static func wakeService(for path: String) async -> Bool {
    guard let address = ControlAddress.activation, FileSystem.exists(address.path),
      let usual = try? FileSystem.realPath(SettingsLoader().library(nil)),
      usual == (try? FileSystem.realPath(path))
    else { return false }
    return await ControlClient.answers(at: address, for: usual)
  }
}
