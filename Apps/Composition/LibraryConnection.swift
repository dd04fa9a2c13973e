import Control
import Engine
public import LibraryAPI
public import Models
public import Persistence
import SystemCalls
public import Wiring

/// A library together with its engine, which runs either in this process or in another one. `service` has the
/// same operations in both cases.
public struct LibraryConnection: Sendable {
  /// The operations of the library, which the engine performs in either process.
  public let service: any LibraryService
  /// The reader of the library's store.
  public let store: any LibraryReader
  /// The engine if it runs in this process and nil otherwise. `connect` does not start the engine.
  public var engine: (any LocalEngine)? { localEngine }
  /// The id of the process that runs the engine.
  public let processID: Int32
  /// The reason why other programs cannot connect to the engine of this process; nil if they can.
  public let problem: String?
  /// The name of the program of the other process that runs the engine; nil if this process runs it.
  public var program: String? { client?.program }
  /// Identifies the run of the other process's server, which has another text after a restart; nil if this process runs
  /// the engine.
  public var run: String? { client?.run }
  /// Whether the engine belongs to an imgdld, which keeps running when its work is done.
  public var isDaemon: Bool { client?.isDaemon ?? false }
  /// The time at which the other process started to serve the library, in Unix seconds; nil if this process
  /// runs the engine.
  public var engineStartTime: Int64? { client?.startTime }
  /// The path of the socket on which the engine of the other process listens; nil if this process runs the
  /// engine.
  public var socket: String? { client?.address.path }
  /// The path of the log of an imgdld in the background; nil if there is no log.
  public var log: String? {
    guard isDaemon, let path = client?.address.logPath, FileSystem.exists(path) else { return nil }
    return path
  }
  private let localEngine: Engine?
  private let server: ControlServer?
  private let keeping: Task<Void, Never>?
  let client: ControlClient?

  fileprivate init(
    _ engine: Engine, _ server: ControlServer?, at socket: String = "", problem: String?
  ) {
    service = engine
    store = engine.reader
    localEngine = engine
    processID = Machine.processID
    self.problem = problem
    self.server = server
    client = nil
    keeping = server.map { server in
      Task {
        let keeper = SocketKeeper(socket)
        while (try? await Task.sleep(for: SocketKeeper.interval)) != nil {
          // The engine has failed if another process has taken the library, so that there is nothing left to keep.
          do { _ = try await keeper.check(server, engine) } catch { return }
        }
      }
    }
  }

  fileprivate init(_ client: ControlClient, _ store: any LibraryReader) {
    service = client
    self.store = store
    localEngine = nil
    processID = client.processID
    problem = nil
    server = nil
    keeping = nil
    self.client = client
  }

  fileprivate init(_ store: any LibraryReader, unwritable reason: LibraryError) {
    service = ReadOnlyService(reason)
    self.store = store
    localEngine = nil
    processID = Machine.processID
    problem = reason.detail
    server = nil
    keeping = nil
    client = nil
  }

  /// Returns whether an error means that the engine of another process has ended or was interrupted.
  public func isEngineLost(_ error: any Error) -> Bool {
    guard localEngine == nil, let error = error as? LibraryError else { return false }
    return error.code == .disconnected || error.code == .interrupted
  }

  /// Stops the engine if it runs in this process; otherwise only closes the connection to the engine.
  public func close() async {
    keeping?.cancel()
    // The server stops first, so that no client sends a request to an engine that is stopping.
    await server?.stop()
    await localEngine?.stop()
    await client?.close()
    if localEngine == nil { await store.close() }
  }
}

extension LibraryOpener {
  /// The number of seconds for which `connect` retries while the process that holds the lock does not
  /// respond.
  private static let timeout = 5.0

  /// Connects to the engine that runs for a library. If none runs, opens an engine in this process, to which
  /// other processes can connect.
  /// - Parameters:
  ///   - path: The library's folder; created if it is missing.
  ///   - overriding: The names of the settings that take precedence over values that a user changed in an
  ///     earlier run.
  ///   - isDownloading: Whether the engine is to download, so that the programs that it needs have to exist.
  ///   - change: Adds or replaces adapters. If the engine runs in another process, only the store among them
  ///     is used here, to read the library.
  /// - Throws: `WiringError` if a setting names an unknown adapter, `SettingError` if a program is missing, or `LibraryError`: `locked` if another
  ///   process holds the library's lock and does not accept connections.
  public static func connect(
    at path: String, settings: Settings, overriding: Set<String> = [], isDownloading: Bool = false,
    changing change: @Sendable (inout Catalogue) -> Void = { _ in }
  ) async throws -> LibraryConnection {
    let deadline = Machine.monotonicNanoseconds &+ UInt64(timeout * 1e9)
    var pause = Duration.milliseconds(20)
    while true {
      var refusal: LibraryError?
      do {
        if let other = try await running(at: path, settings: settings, changing: change) {
          return other
        }
      } catch let error as LibraryError where error.code == .policy {
        // The lock file may be from an earlier run, so the error matters only if another process does hold
        // the lock.
        refusal = error
      }
      if isDownloading { try requireRenderer(settings) }
      do {
        return try await openLocalEngine(at: path, settings: settings, overriding, change)
      } catch let error as LibraryError where error.code == .locked {
        // The process that holds the lock will soon listen or end, so connecting is retried.
        guard Machine.monotonicNanoseconds < deadline else { throw refusal ?? error }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(500))
      }
    }
  }

  /// Opens an existing library that cannot be written, for reading only. Its service refuses every change.
  /// - Parameters:
  ///   - reason: The error that prevented an engine from being opened.
  ///   - change: Adds or replaces stores.
  /// - Returns: nil if there is no library, or if the library cannot be read either.
  public static func openReadOnly(
    at path: String, settings: Settings, because reason: LibraryError,
    changing change: @Sendable (inout Catalogue) -> Void = { _ in }
  ) async -> LibraryConnection? {
    guard let store = try? await openStore(at: path, settings: settings, changing: change) else {
      return nil
    }
    return LibraryConnection(store, unwritable: reason)
  }

  /// Connects to the engine that runs for a library in another process; returns nil if no engine runs or the
  /// engine does not listen.
  /// - Parameter change: Adds or replaces stores.
  public static func running(
    at path: String, settings: Settings,
    changing change: @Sendable (inout Catalogue) -> Void = { _ in }
  ) async throws -> LibraryConnection? {
    guard let client = try await ControlClient.connect(libraryRoot: path) else { return nil }
    do {
      if let store = try await openStore(at: path, settings: settings, changing: change) {
        return LibraryConnection(client, store)
      }
    } catch {
      await client.close()
      throw error
    }
    await client.close()
    return nil
  }

  /// The engine of another process, as far as it can be seen from here.
  public enum OtherEngine: Sendable {
    case none
    case running(LibraryStatus)
    /// The process holds the library's lock and does not respond, because it is stopped or overloaded, because its
    /// socket is missing, or because it belongs to another container or machine.
    case silent(LibraryHolder, isStopped: Bool)
  }

  /// Returns the state of the engine of another process. A process that is busy gets more time to respond than one
  /// that is stopped.
  public static func otherEngine(at path: String) async -> OtherEngine {
    if let status = await runningStatus(at: path) { return .running(status) }
    let layout = LibraryLayout(root: FileSystem.canonicalPath(path))
    guard let holder = LibraryHolder.current(layout), !holder.isThisProcess else { return .none }
    let isStopped = { holder.isHere && Machine.isStopped(processID: holder.process) }
    if holder.isHere, !isStopped(),
      let status = await runningStatus(at: path, within: .seconds(3))
    {
      return .running(status)
    }
    guard LibraryHolder.current(layout) == holder else { return .none }
    return .silent(holder, isStopped: isStopped())
  }

  /// Returns the status of the engine of another process; nil if there is none, or if the engine does not
  /// respond in time.
  public static func runningStatus(
    at path: String, within time: Duration = .milliseconds(300)
  ) async -> LibraryStatus? {
    await withTaskGroup(of: LibraryStatus?.self) { group in
      group.addTask {
        guard let client = try? await ControlClient.connect(libraryRoot: path) else { return nil }
        let status = try? await client.status()
        await client.close()
        return status
      }
      group.addTask {
        try? await Task.sleep(for: time)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  private static func openLocalEngine(
    at path: String, settings: Settings, _ overriding: Set<String>,
    _ change: @Sendable (inout Catalogue) -> Void
  ) async throws -> LibraryConnection {
    let engine = try await openEngine(
      at: path, settings: settings, overriding: overriding, isServed: true, changing: change)
    do throws(ControlError) {
      // This process holds the lock, so a process that listened on the socket before has ended.
      let address = try ControlAddress(libraryRoot: path)
      let listener = try ControlListener(address)
      let root = (try? FileSystem.realPath(path)) ?? path
      let reading = LibraryReading(root: root) { () throws(LibraryError) in
        engine.reader
      } settings: { () throws(LibraryError) in
        engine.settings
      }
      let server = try await ControlServer(
        listener, serving: engine, libraryRoot: root, reading: reading)
      return LibraryConnection(engine, server, at: address.path, problem: nil)
    } catch {
      return LibraryConnection(engine, nil, problem: error.detail)
    }
  }
}
