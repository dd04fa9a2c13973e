public import LibraryAPI
import Models
import Synchronization
public import SystemCalls

/// The library of another process. Each call has a connection of its own, so that a long one holds
/// up no other; when the task of a call is cancelled, the connection is closed and the other side
/// cancels its part.
///
/// A call whose server goes away throws `disconnected`.
public final class ControlClient: LibraryService {
  let line: ClientLine
  /// Which run of the engine this is; another one is another library to us.
  let engine: String
  let presences = Mutex<[ViewerID: Task<Presence, Never>]>([:])

  /// The process that holds the library.
  public var processID: Int32 { line.processID }
  /// The name of its program: `imgdld`, or that of another program that happens to have the engine.
  public let program: String
  /// Unix seconds since when it has answered.
  public let since: Int64
  /// Where it listens.
  public var address: ControlAddress { ControlAddress(path: line.path) }

  /// Whether the engine stays when its work is done.
  public var isDaemon: Bool { program == "imgdld" }

  private init(_ line: ClientLine, _ hello: HelloMessage) {
    self.line = line
    engine = hello.engine
    program = hello.program ?? ""
    since = hello.since ?? 0
  }

  deinit { Task.detached { [line] in await line.end() } }

  /// The engine that holds a library, if one does and answers.
  /// - Parameter libraryRoot: the library's folder.
  /// - Returns: nil when the library is nobody's at this moment, or its holder does not listen yet.
  /// - Throws: `policy` when somebody else could have made the socket, `locked` when the holder speaks
  ///   another version of the interface.
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
      if let place = try await loop.place(ofLibrary: libraryRoot) {
        processID = place.processID
        let line = ClientLine(place.address, loop: loop, processID: place.processID)
        let hello = try await line.hello()
        // A copied library brings the lock file of the original with it.
        if hello.library == place.library {
          guard hello.api == ControlServer.version else { throw .other(hello) }
          return ControlClient(line, hello)
        }
      }
    } catch {
      await loop.end()
      guard error.code == .disconnected else { throw error }
      if error == .silent(processID) { throw LibraryError(.locked, error.detail) }
      return nil
    }
    await loop.end()
    return nil
  }

  /// Whether somebody answers for a library at an address, which may start whoever listens there.
  /// - Parameter library: real path of its folder.
  public static func answers(at address: ControlAddress, for library: String) async -> Bool {
    guard SocketFolder.isSafe(address.folder, user: Machine.userID),
      let loop = try? SocketLoop("imgdl-client", clock: SystemClock())
    else { return false }
    let hello = try? await ClientLine(address.path, loop: loop, processID: 0).hello()
    await loop.end()
    return hello?.library == library
  }

  /// Ends every call, with `disconnected`, and every stream.
  public func close() async { await line.end() }
}

extension LibraryError {
  fileprivate static func other(_ hello: HelloMessage) -> LibraryError {
    LibraryError(
      .locked,
      "process \(hello.processID), which holds the library, is another version of imgdl")
  }
}
