import Control
public import Models
import SystemCalls

extension LibraryOpener {
  /// Connects to the engine that runs for a library. If none runs, starts an imgdld for the library, which
  /// continues to run when this program ends.
  ///
  /// If `overriding` is empty and systemd listens for the default library, systemd starts that imgdld.
  /// - Parameters:
  ///   - path: The library's folder; created if it is missing.
  ///   - overriding: Settings that take precedence over those of files and environment, with their values
  ///     as text.
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

  /// Lets systemd start its imgdld, if it listens for the default library and that is the one at `path`.
  /// - Returns: Whether an imgdld answers for the library.
  private static func wakeService(for path: String) async -> Bool {
    guard let address = ControlAddress.activation, FileSystem.exists(address.path),
      let usual = try? FileSystem.realPath(SettingsLoader().library(nil)),
      usual == (try? FileSystem.realPath(path))
    else { return false }
    return await ControlClient.answers(at: address, for: usual)
  }
}
