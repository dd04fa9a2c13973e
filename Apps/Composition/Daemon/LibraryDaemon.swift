import Control
import Engine
public import LibraryAPI
public import Models
import Synchronization
public import SystemCalls
import Threading

/// An engine that works on a library until it is stopped, together with the server through which other
/// programs control the engine. An `imgdld` process runs one `LibraryDaemon`.
public struct LibraryDaemon: Sendable {
  /// The socket on which the server listens.
  public enum ListenAddress: Sendable {
    /// The default path for the library, which clients use.
    case standard
    /// A path that the user chose.
    case chosen(String)
    /// A socket that is already listening, by its descriptor.
    case inherited(Int32)
  }

  /// An event that the log of the daemon reports.
  public enum Event: Sendable {
    case event(LibraryEvent)
    /// The engine has started to work.
    case began
    case ended
    /// The socket had been deleted, and was made again at this path.
    case listeningAgain(String)
    case failed(LibraryError, retryingIn: Double)
    case web(WebEvent)
    case aria2(Aria2Event)
  }

  /// The aria2 interface of a daemon.
  public struct Aria2: Sendable {
    /// The secret that clients pass; nil means that every program of the user may call, for tests only.
    public var secret: String?
    /// The options of aria2 that the server starts with, in order.
    public var options: [(name: String, value: String)]
    /// The content of an input file of aria2, whose downloads are added.
    public var inputText: String
    /// The version of the program.
    public var version: String

    public init(
      secret: String?, options: [(name: String, value: String)] = [], inputText: String = "",
      version: String
    ) {
      self.secret = secret
      self.options = options
      self.inputText = inputText
      self.version = version
    }
  }

  /// The real path of the library's folder.
  public let library: String
  /// The absolute path of the socket.
  public let socket: String
  private let host: EngineHost
  private let server: ControlServer
  private let eventTask: Task<Void, Never>
  private let watch: FolderWatch
  private let keeper: SocketKeeper
  private let report: @Sendable (Event) -> Void

  /// Acquires the library's lock, listens, and starts to work on unfinished records.
  /// - Parameters:
  ///   - path: The library's folder; created if it is missing.
  ///   - overriding: The names of the settings that take precedence over values that a user changed in an
  ///     earlier run.
  ///   - webPort: The port of the web page for this run; if nil, the page is served only if it was enabled
  ///     earlier.
  ///   - aria2: The aria2 interface at `webPort`, which must then be given; nil means none.
  ///   - heldLock: The library's lock, from the program whose place this one has taken (`heldLock`).
  ///   - onEvent: Called with each event, one at a time.
  /// - Throws: `WiringError` if a setting names an unknown adapter, `SettingError` if an option of aria2 is
  ///   invalid, `LibraryError` if the library or the socket cannot be opened or the port is taken.
  public init(
    at path: String, settings: Settings, overriding: Set<String> = [],
    place: ListenAddress = .standard, webPort: UInt16? = nil, aria2: Aria2? = nil,
    heldLock: OwnedDescriptor? = nil, onEvent: @escaping @Sendable (Event) -> Void
  ) async throws {
    try LibraryOpener.requireRenderer(settings)
    // Settings and library are checked first, so that a typing error in them leaves no socket behind.
    try FileSystem.makeFolders(path)
    let root = try FileSystem.realPath(path)
    let address = try Self.address(place, root)
    let watch = FolderWatch(root)
    self.watch = watch
    let keeper = SocketKeeper(address.path)
    self.keeper = keeper
    report = onEvent
    let heldLock = Mutex(heldLock)
    host = try await EngineHost(settings) { event in
      switch event {
      case .began: onEvent(.began)
      case .ended: onEvent(.ended)
      case .failed(let error, let seconds):
        onEvent(.failed(error, retryingIn: seconds))
        watch.checkSoon()
      }
    } freeBytes: {
      try? await BlockingQueue("free-space").run { try FileSystem.openFolder(root).freeBytes() }
    } opening: { settings in
      // Without this check, opening the engine would create the folder again after the user has moved or
      // deleted it.
      try await watch.check()
      return try await LibraryOpener.openEngine(
        at: root, settings: settings, overriding: overriding, socket: keeper.socket,
        // Only the first engine inherits the lock; each later one takes it from the one before.
        inheriting: heldLock.withLock { lock in
          defer { lock = nil }
          return lock
        })
    }
    let events = await host.eventStream()
    eventTask = Task { for await event in events { onEvent(.event(event)) } }
    do {
      let listener = try Self.listener(place, address)
      let reading = LibraryReading(root: root) { [host] () async throws(LibraryError) in
        try await host.engine().reader
      } settings: { [host] () async throws(LibraryError) in
        try await host.engine().settings
      } preview: { [host] (request, emit) async throws(LibraryError) in
        try await LibraryOpener.preview(
          request, settings: try await host.engine().settings, emit: emit)
      }
      server = try await ControlServer(
        listener, serving: host, libraryRoot: root, reading: reading,
        web: ControlServer.Web(port: webPort) { onEvent(.web($0)) },
        aria2: aria2.map { [host] in
          Aria2Interface(
            secret: $0.secret, allowedOrigins: settings.aria2.allowOrigin, options: $0.options,
            proxies: (settings.network.httpProxy, settings.network.httpsProxy),
            inputText: $0.inputText, version: $0.version, downloads: host
          ) { onEvent(.aria2($0)) }
        })
      do {
        try await host.start()
        await server.startAria2()
      } catch {
        await server.stop()
        throw error
      }
    } catch {
      await host.close()
      throw (error as? ControlError).map { Self.startFailure($0, hasAria2: aria2 != nil) } ?? error
    }
    library = root
    socket = address.path
  }

  /// Returns the reason why the server cannot begin as an error with an exit code.
  private static func startFailure(_ error: ControlError, hasAria2: Bool) -> any Error {
    switch error.code {
    case .badValue: SettingError(error.detail)
    case .portInUse:
      LibraryError(
        .locked,
        "\(error.detail); choose another one with "
          + (hasAria2 ? "--rpc-listen-port" : "--listen 127.0.0.1:PORT"))
    default: LibraryError(.io, error.detail)
    }
  }

  static func address(
    _ place: ListenAddress, _ root: String
  ) throws(LibraryError) -> ControlAddress {
    do throws(ControlError) {
      switch place {
      case .standard: return try ControlAddress(libraryRoot: root)
      case .chosen(let path): return try ControlAddress(chosen: path)
      case .inherited(let number): return try ControlAddress(ofSocket: number)
      }
    } catch {
      throw LibraryError(.io, error.detail)
    }
  }

  private static func listener(
    _ place: ListenAddress, _ address: ControlAddress
  ) throws(LibraryError) -> ControlListener {
    do throws(ControlError) {
      switch place {
      case .standard: return try ControlListener(address)
      case .chosen: return try ControlListener(address, isChosen: true)
      case .inherited(let number): return try ControlListener(inheriting: number)
      }
    } catch {
      throw LibraryError(.io, error.detail)
    }
  }

  /// Replaces the engine by one with other settings. Requests that arrive meanwhile wait for the new engine.
  public func reload(_ settings: Settings) async throws(LibraryError) {
    try await host.replace(with: settings)
  }

  /// Returns the status of the engine; while the engine is being replaced, waits for the next one.
  public func status() async throws(LibraryError) -> LibraryStatus { try await host.status() }

  /// Returns when the library's folder is no longer at its path, when another process has taken the library, or when
  /// the task is cancelled. Meanwhile keeps the socket and the lock file in place.
  /// - Returns: An error that describes what happened; nil if the task was cancelled.
  public func waitUntilLibraryRemoved() async -> LibraryError? {
    await watch.waitUntilLibraryRemoved { () throws(LibraryError) in
      let engine = try? await host.engine()
      if let socket = try await keeper.check(server, engine) { report(.listeningAgain(socket)) }
    }
  }

  /// Returns a descriptor that holds the library's lock also after `stop`, so that no other program takes the library
  /// before the one that takes the place of this one; nil if no engine can be opened.
  public func heldLock() async -> OwnedDescriptor? { await host.heldLock() }

  /// Stops the server and the engine. All completed work is kept.
  public func stop() async {
    await server.stop()
    await host.close()
    await eventTask.value
  }
}
