public import LibraryAPI
public import SystemCalls

/// Serves the library of this process to other programs: HTTP/1.1 with JSON on a socket, on a thread of its
/// own. Each request runs in a task, which is cancelled when the client closes the connection.
public final class ControlServer: Sendable {
  /// The limits of a server. Times are in seconds on the server's clock.
  public struct Options: Sendable, Equatable {
    /// The maximum number of connections. At the limit, the server closes the oldest connection with an
    /// incomplete request, or the connection that has been idle longest. If all are serving requests, the
    /// server refuses the new connection.
    public var connections = 256
    /// The maximum number of connections of one process. At the limit, the server closes another connection
    /// of that process, or refuses the new one if all of them are serving requests.
    public var connectionsPerPeer = 128
    /// The maximum size of a request's body in bytes.
    public var bodyBytes = 2 << 20
    /// The time limit for the head of a request, from the connect, or from the first byte of a later request.
    public var headSeconds = 10.0
    /// The time limit for the body.
    public var bodySeconds = 30.0
    /// The maximum time between two requests of a connection.
    public var idleSeconds = 60.0
    /// The time without progress after which sending to a client is abandoned.
    public var sendSeconds = 30.0
    /// The time without events after which an event stream sends a heartbeat.
    public var heartbeatSeconds = 15.0
    /// The number of events kept for readers that reconnect.
    public var ringEvents = 4_096
    public var ringBytes = 4 << 20
    /// The minimum time between two `progress` events.
    public var progressSeconds = 0.1
    /// The minimum time between two wake-ups of readers that have read all events, so that a reader receives
    /// several events at once.
    public var wakeSeconds = 0.02

    public init() {}
  }

  /// The web page of a server.
  public struct Web: Sendable {
    /// The port to listen on for this run, whether or not the page is enabled; nil means none.
    public var port: UInt16?
    /// Called for each event of the web page, one at a time.
    public var report: @Sendable (WebEvent) -> Void
    var wallClock: any WallClock = SystemClock()
    var random: any RandomSource = SystemRandomSource()

    public init(port: UInt16? = nil, report: @escaping @Sendable (WebEvent) -> Void) {
      self.port = port
      self.report = report
    }
  }

  /// The id of this run of the engine: random for each start, and a part of every event id.
  let engine = String(UInt64.random(in: .min ... .max), radix: 16)
  private let acceptor: ConnectionAcceptor
  private let service: any LibraryService
  private let aria2: Aria2Service?
  private let loop: SocketLoop
  private let libraryRoot: String

  /// Starts to serve requests. Connections made earlier have waited in the listener's accept queue.
  /// - Parameters:
  ///   - libraryRoot: The library's folder, by which clients identify the library.
  ///   - service: The library; its calls must throw soon after their task is cancelled.
  ///   - reading: The access to rows, files and settings; nil means that requests for them fail.
  ///   - web: The web page; nil means that this server has none.
  ///   - aria2: The aria2 interface, which the listener of `web` serves as well; nil means none. Its downloads
  ///     begin with `startAria2`.
  /// - Throws: `socket` if the kernel refuses a socket, `portInUse` if the port of `web` is taken.
  public init(
    _ listener: ControlListener, serving service: any LibraryService, libraryRoot: String,
    reading: LibraryReading? = nil, web: Web? = nil, aria2: Aria2Interface? = nil,
    options: Options = Options(),
    clock: any MonotonicClock = SystemClock()
  ) async throws(ControlError) {
    self.service = service
    do throws(SystemError) {
      loop = try SocketLoop("imgdl-control", clock: clock)
    } catch {
      throw ControlError(.socket, error.description)
    }
    self.libraryRoot = libraryRoot
    let hello = HelloMessage(
      api: HelloMessage.version, library: await loop.realPath(libraryRoot),
      processID: Machine.processID,
      engine: engine, program: Self.programName, since: Machine.unixSeconds)
    let access = web.map { web in
      WebAccess(
        WebCredentialsFile(libraryRoot: hello.library), clock: clock, wallClock: web.wallClock,
        random: web.random, report: web.report)
    }
    let reading = reading ?? .nothing(root: hello.library)
    do throws(ControlError) {
      self.aria2 = try aria2.map { (aria2) throws(ControlError) in
        try Aria2Service(
          aria2, root: reading.root,
          library: EngineAria2Library(
            service: service, downloads: aria2.downloads, reading: reading), clock: clock)
      }
    } catch {
      await loop.shutDown()
      throw error
    }
    let checks = aria2.map { Aria2RequestChecks($0) }
    let interface = self.aria2.flatMap { service in checks.map { (service: service, checks: $0) } }
    let services = ServerServices(
      service, reading: reading, hello: hello, options: options, loop: loop, web: access,
      aria2: interface)
    acceptor = ConnectionAcceptor(
      listener, services: services, loop: loop, web: access,
      wallClock: web?.wallClock ?? SystemClock())
    do throws(SystemError) {
      try await acceptor.start()
    } catch {
      await loop.shutDown()
      throw ControlError(.socket, error.description)
    }
    do throws(ControlError) {
      try await access?.start(acceptor, port: web?.port)
    } catch {
      await stop()
      throw error
    }
  }

  /// Starts the downloads of the aria2 interface; has no effect on a server without it. Call this when the
  /// engine has been started.
  public func startAria2() async { await aria2?.start(service) }

  /// Listens again if the file of the socket is missing: at the same path or, if its folder cannot be created, at the
  /// library's usual one. Call this every few seconds.
  /// - Returns: The new path, for the library's lock file; nil if the file is there.
  /// - Throws: `folder` or `socket` if there is no place for a socket.
  public func renewSocket() async throws(ControlError) -> String? {
    try await acceptor.renewSocket(libraryRoot: libraryRoot)?.path
  }

  private static var programName: String {
    let path = Machine.executablePath ?? ""
    return String(
      path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }

  /// Stops the server: accepts no more connections, cancels running requests, and sends their error
  /// responses. On return no thread, descriptor, socket file or library call of the server is left.
  public func stop() async {
    await acceptor.stop()
    await loop.shutDown()
  }
}
