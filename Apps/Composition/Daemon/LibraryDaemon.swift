import Control
import Engine
public import LibraryAPI
public import Models
import SystemCalls

/// A library that is worked for until it is told to stop: the engine, and the server by which other
/// programs steer it. What `imgdld` is made of.
public struct LibraryDaemon: Sendable {
  /// Where the server listens.
  public enum Place: Sendable {
    /// Where programs look for the library.
    case usual
    /// A path that the user chose.
    case chosen(String)
    /// A socket that listens already, by its number.
    case inherited(Int32)
  }

  /// What is worth a line in a log.
  public enum News: Sendable {
    case event(LibraryEvent)
    /// The engine has begun to work.
    case began
    case ended
    case failed(LibraryError, retryingIn: Double)
  }

  /// Real path of the library's folder.
  public let library: String
  /// Absolute path of the socket.
  public let socket: String
  private let held: EngineHost
  private let server: ControlServer
  private let telling: Task<Void, Never>
  private let watch: FolderWatch

  /// Takes the library's lock, listens, and begins to work on what is unfinished.
  /// - Parameters:
  ///   - path: the library's folder; made if it is missing.
  ///   - insisting: names of settings that count more than what was changed in an earlier run.
  ///   - tell: called for each of the news, one after another.
  /// - Throws: `WiringError` for settings that name no adapter, `LibraryError` for the library and the
  ///   socket.
  public init(
    at path: String, settings: Settings, overriding: Set<String> = [], place: Place = .usual,
    telling tell: @escaping @Sendable (News) -> Void
  ) async throws {
    // Settings and library first: a typing error leaves no socket behind.
    try FileSystem.makeFolders(path)
    let root = try FileSystem.realPath(path)
    let address = try Self.address(place, root)
    let watch = FolderWatch(root)
    self.watch = watch
    held = try await EngineHost(settings) { news in
      switch news {
      case .began: tell(.began)
      case .ended: tell(.ended)
      case .failed(let error, let seconds):
        tell(.failed(error, retryingIn: seconds))
        watch.look()
      }
    } opening: { settings in
      // An engine would make the folder again.
      try await watch.check()
      return try await LibraryOpener.openEngine(
        at: root, settings: settings, overriding: overriding, listening: address)
    }
    let events = await held.eventStream()
    telling = Task { for await event in events { tell(.event(event)) } }
    do {
      let listener = try Self.listener(place, address)
      let reading = LibraryReading(root: root) { [held] () async throws(LibraryError) in
        try await held.engine().reader
      } settings: { [held] () async throws(LibraryError) in
        try await held.engine().settings
      }
      server = try await ControlServer(
        listener, serving: held, libraryRoot: root, reading: reading)
      try await held.start()
    } catch {
      await held.close()
      throw error
    }
    library = root
    socket = address.path
  }

  static func address(
    _ place: Place, _ root: String
  ) throws(LibraryError) -> ControlAddress {
    do throws(ControlError) {
      switch place {
      case .usual: return try ControlAddress(libraryRoot: root)
      case .chosen(let path): return try ControlAddress(chosen: path)
      case .inherited(let number): return try ControlAddress(ofSocket: number)
      }
    } catch {
      throw LibraryError(.io, error.detail)
    }
  }

  private static func listener(
    _ place: Place, _ address: ControlAddress
  ) throws(LibraryError) -> ControlListener {
    do throws(ControlError) {
      switch place {
      case .usual: return try ControlListener(address)
      case .chosen: return try ControlListener(address, isChosen: true)
      case .inherited(let number): return try ControlListener(inheriting: number)
      }
    } catch {
      throw LibraryError(.io, error.detail)
    }
  }

  /// Goes on with other settings; programs that ask meanwhile wait for a moment.
  public func reload(_ settings: Settings) async throws(LibraryError) {
    try await held.replace(with: settings)
  }

  /// Whether the engine answers. Waits as long as it does not.
  public func status() async throws(LibraryError) -> LibraryStatus { try await held.status() }

  /// Returns when the library's folder is not where it was any more, or the task is cancelled.
  /// - Returns: what there is to say; nil if the task is cancelled.
  public func untilGone() async -> LibraryError? { await watch.untilGone() }

  /// Answers nobody any more, ends what runs, and keeps everything.
  public func stop() async {
    await server.stop()
    await held.close()
    await telling.value
  }
}
