public import Engine
import Models
import Synchronization
import SystemCalls

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

  private init(_ line: ClientLine, engine: String) {
    self.line = line
    self.engine = engine
  }

  deinit { Task.detached { [line] in await line.end() } }

  /// The engine that holds a library, if one does and answers.
  /// - Parameter libraryRoot: the library's folder.
  /// - Returns: nil when the library is nobody's at this moment, or its holder does not listen yet.
  /// - Throws: `policy` when somebody else could have made the socket, `locked` when the holder speaks
  ///   another version of the interface.
  public static func connect(
    libraryRoot: String, clock: any EngineClock = SystemClock()
  ) async throws(EngineError) -> ControlClient? {
    let loop: SocketLoop
    do {
      loop = try SocketLoop("imgdl-client", clock: clock)
    } catch {
      throw EngineError(.io, error.description)
    }
    do throws(EngineError) {
      if let place = try await loop.place(ofLibrary: libraryRoot) {
        let line = ClientLine(place.address, loop: loop, processID: place.processID)
        let hello: HelloMessage = try await line.call("GET", "/v1")
        // A copied library brings the lock file of the original with it.
        if hello.library == place.library {
          guard hello.api == ControlServer.version else { throw .other(hello) }
          return ControlClient(line, engine: hello.engine)
        }
      }
    } catch {
      await loop.end()
      if error.code == .disconnected { return nil }
      throw error
    }
    await loop.end()
    return nil
  }

  /// Ends every call, with `disconnected`, and every stream.
  public func close() async { await line.end() }
}

extension EngineError {
  fileprivate static func other(_ hello: HelloMessage) -> EngineError {
    EngineError(
      .locked,
      "process \(hello.processID), which holds the library, is another version of imgdl")
  }
}
