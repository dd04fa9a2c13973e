import Control
import Engine
import LibraryAPI
import Synchronization

/// Keeps an engine reachable for other programs while it works: makes its socket and the library's lock file again if
/// something has deleted them.
final class SocketKeeper: Sendable {
  private let path: Mutex<String>

  /// The time between two checks. It is shorter than the time for which a command looks for the engine.
  static let interval = Duration.seconds(3)

  /// - Parameter path: The path of the socket.
  init(_ path: String) { self.path = Mutex(path) }

  /// The path of the socket, which a new engine writes into the lock file.
  var socket: String { path.withLock { $0 } }

  /// Checks socket and lock file.
  /// - Parameter engine: The engine; nil while it is being replaced, since the next one writes the lock file.
  /// - Returns: The path of the new socket; nil if the socket is as it was. If none can be made now, the next check
  ///   tries again.
  /// - Throws: `locked` if another process has taken the library.
  func check(_ server: ControlServer, _ engine: Engine?) async throws(LibraryError) -> String? {
    var new: String?
    do throws(ControlError) {
      new = try await server.renewSocket()
    } catch {
      new = nil
    }
    if let new { path.withLock { $0 = new } }
    try await engine?.renewLock(socket: socket)
    return new
  }
}
