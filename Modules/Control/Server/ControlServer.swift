public import LibraryAPI
public import SystemCalls

/// The library of this process for other programs: HTTP/1.1 with JSON on a socket, by a thread of
/// its own. What a client requests runs in a task, which is cancelled when the client goes.
public final class ControlServer: Sendable {
  /// Limits. Seconds are those of the clock that the server is started with.
  public struct Options: Sendable, Equatable {
    /// At the same time. For one more, the oldest one whose request is incomplete is closed, or the one
    /// that has been idle longest; if all are at work, it is turned away.
    public var connections = 256
    /// Connections of one process. For one more, another connection of the same process is closed, or the
    /// new one is turned away if all of them are at work.
    public var connectionsPerPeer = 128
    /// Of one request.
    public var bodyBytes = 2 << 20
    /// From the connect, or the first byte of a further request, to the end of the header section.
    public var headSeconds = 10.0
    /// For the body.
    public var bodySeconds = 30.0
    /// Between two requests.
    public var idleSeconds = 60.0
    /// How long a client may read nothing of what is sent to it.
    public var sendSeconds = 30.0
    /// After so long without news an event stream says that it is there.
    public var heartbeatSeconds = 15.0
    /// Events that are kept for readers that come back.
    public var ringEvents = 4_096
    public var ringBytes = 4 << 20
    /// Between two events `progress`.
    public var progressSeconds = 0.1
    /// A reader that has read everything is woken at most so often: then it takes many events at
    /// once.
    public var wakeSeconds = 0.02

    public init() {}
  }

  /// The version of the interface: the `v1` of its paths.
  public static let version = 1

  /// Which run of the engine this is: random for each start, a part of the id of every event.
  let engine = String(UInt64.random(in: .min ... .max), radix: 16)
  private let core: ServerCore
  private let loop: SocketLoop

  /// Begins to answer; connections that came before wait in the listener's queue.
  /// - Parameters:
  ///   - libraryRoot: the library's folder, by which clients know it.
  ///   - service: has to throw soon when the task that calls it is cancelled.
  ///   - reading: rows, files and settings; nil means this server only steers.
  public init(
    _ listener: ControlListener, serving service: any LibraryService, libraryRoot: String,
    reading: LibraryReading? = nil, options: Options = Options(),
    clock: any MonotonicClock = SystemClock()
  ) async throws(ControlError) {
    do throws(SystemError) {
      loop = try SocketLoop("imgdl-control", clock: clock)
    } catch {
      throw ControlError(.socket, error.description)
    }
    let hello = HelloMessage(
      api: Self.version, library: await loop.realPath(libraryRoot), processID: Machine.processID,
      engine: engine, program: Self.programName, since: Machine.unixSeconds)
    core = ServerCore(
      listener, service: service, reading: reading ?? .nothing(root: hello.library), hello: hello,
      options: options, loop: loop)
    do throws(SystemError) {
      try await core.start()
    } catch {
      await loop.end()
      throw ControlError(.socket, error.description)
    }
  }

  private static var programName: String {
    let path = Machine.executablePath ?? ""
    return String(
      path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }

  /// Takes no more connections, cancels what clients are waiting for, tells them, and ends. Nothing
  /// of it is left afterwards: no thread, no descriptor, no file, no call into the library.
  public func stop() async {
    await core.stop()
    await loop.end()
  }
}
