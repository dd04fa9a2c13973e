public import LibraryAPI
import Models
import Synchronization
public import SystemCalls

/// The library of another process. Each call has a connection of its own, so that a long call does not delay
/// others. When the task of a call is cancelled, the client closes the connection, and the server cancels the
/// request.
///
/// A call throws `disconnected` if the server exits.
public final class ControlClient: LibraryService {
  let connector: ControlConnector
  /// The random id of the engine's run. The client does not reconnect to another run.
  let engine: String
  let presences = Mutex<[ViewerID: Task<Presence, Never>]>([:])

  /// The id of the process that holds the library.
  public var processID: Int32 { connector.serverProcessID }
  /// The name of the program that holds the library: `imgdld`, or another program that runs the engine.
  public let program: String
  /// The time at which the server started, in Unix seconds; 0 if unknown.
  public let startTime: Int64
  /// The address of the server's socket.
  public var address: ControlAddress { ControlAddress(path: connector.path) }

  /// Identifies the run of the server: another one has another text, also in the same process.
  public var run: String { engine }

  /// Whether the engine keeps running when its work is done.
  public var isDaemon: Bool { program == "imgdld" }

  private init(_ connector: ControlConnector, _ hello: HelloMessage) {
    self.connector = connector
    engine = hello.engine
    program = hello.program ?? ""
    startTime = hello.since ?? 0
  }

  deinit { Task.detached { [connector] in await connector.close() } }

  /// Connects to the engine that holds a library.
  /// - Parameter libraryRoot: The library's folder.
  /// - Returns: The client, or nil if no process holds the library or that process does not listen yet.
  /// - Throws: `policy` if another user could have created the socket, `locked` if the process that holds the
  ///   library does not respond or implements another version of the API.
  public static func connect(
    libraryRoot: String, clock: any MonotonicClock = SystemClock()
  ) async throws(LibraryError) -> ControlClient? {
    let loop: SocketLoop
    do {
      loop = try SocketLoop("imgdl-client", clock: clock)
    } catch {
      throw LibraryError(.io, error.description)
    }
    var processID: Int32 = 0
    do throws(LibraryError) {
      if let place = try await loop.endpoint(ofLibrary: libraryRoot) {
        processID = place.processID
        let connector = ControlConnector(place.address, loop: loop, processID: place.processID)
        let hello = try await connector.hello()
        // A copied library contains the lock file of the original, which names the original's engine.
        if hello.library == place.library {
          guard hello.api == HelloMessage.version else { throw .otherVersion(hello) }
          return ControlClient(connector, hello)
        }
      }
    } catch {
      await loop.shutDown()
      guard error.code == .disconnected else { throw error }
      if [.notResponding(processID), .acceptsNoConnection(processID)].contains(error) {
        throw LibraryError(.locked, error.detail)
      }
      return nil
    }
    await loop.shutDown()
    return nil
  }

  /// Returns whether a server for a library responds at an address. With socket activation, connecting may
  /// start the server.
  /// - Parameter library: The real path of the library's folder.
  public static func answers(at address: ControlAddress, for library: String) async -> Bool {
    guard SocketFolder.isSafe(address.folder, user: Machine.userID),
      let loop = try? SocketLoop("imgdl-client", clock: SystemClock())
    else { return false }
    let hello = try? await ControlConnector(address.path, loop: loop, processID: 0).hello()
    await loop.shutDown()
    return hello?.library == library
  }

  /// Ends every stream and every call; the calls throw `disconnected`.
  public func close() async { await connector.close() }
}

extension LibraryError {
  fileprivate static func otherVersion(_ hello: HelloMessage) -> LibraryError {
    LibraryError(
      .locked,
      "process \(hello.processID), which holds the library, is another version of imgdl")
  }
}
