import Control
import Engine
public import LibraryAPI
public import Models
public import Persistence
import SystemCalls
public import Wiring

/// A library with the engine that works for it: one of this process, or one of another process that
/// is asked to do what we want. Either way, the same verbs do the same.
public struct LibraryConnection: Sendable {
  /// Whom to ask.
  public let service: any LibraryService
  /// To look at.
  public let store: any LibraryReader
  /// The engine, if it is ours. It has not been started.
  public var engine: (any LocalEngine)? { own }
  /// Who runs the engine.
  public let processID: Int32
  /// Why other programs cannot ask our engine; nil if they can.
  public let problem: String?
  /// The name of the program that runs the engine; nil for ours.
  public var program: String? { client?.program }
  /// Whether the engine stays when its work is done: it is imgdld's.
  public var isDaemon: Bool { client?.isDaemon ?? false }
  /// Unix seconds since when the engine of the other process has answered.
  public var since: Int64? { client?.since }
  /// Where the engine of the other process listens.
  public var socket: String? { client?.address.path }
  /// The log of an imgdld in the background; nil if there is none.
  public var log: String? {
    guard isDaemon, let path = client?.address.logPath, FileSystem.exists(path) else { return nil }
    return path
  }
  private let own: Engine?
  private let server: ControlServer?
  private let client: ControlClient?

  fileprivate init(_ engine: Engine, _ server: ControlServer?, problem: String?) {
    service = engine
    store = engine.reader
    own = engine
    processID = Machine.processID
    self.problem = problem
    self.server = server
    client = nil
  }

  fileprivate init(_ client: ControlClient, _ store: any LibraryReader) {
    service = client
    self.store = store
    own = nil
    processID = client.processID
    problem = nil
    server = nil
    self.client = client
  }

  fileprivate init(_ store: any LibraryReader, unwritable reason: LibraryError) {
    service = ReadOnlyService(reason)
    self.store = store
    own = nil
    processID = Machine.processID
    problem = reason.detail
    server = nil
    client = nil
  }

  /// Whether an error means that the engine of another process went away, or was interrupted there.
  public func isGone(_ error: any Error) -> Bool {
    guard own == nil, let error = error as? LibraryError else { return false }
    return error.code == .disconnected || error.code == .interrupted
  }

  /// Stops our engine, or leaves that of the other process alone.
  public func close() async {
    // Nobody asks an engine that is about to stop.
    await server?.stop()
    await own?.stop()
    await client?.close()
    if own == nil { await store.close() }
  }
}

extension LibraryOpener {
  /// Seconds that an engine is given to begin to listen, or to end.
  private static let patience = 5.0

  /// Connects to the engine that runs for a library; if none does, opens one, which others can
  /// connect to.
  /// - Parameters:
  ///   - path: the library's folder; made if it is missing.
  ///   - insisting: names of settings that count more than what was changed in an earlier run.
  ///   - change: may add or replace adapters of an engine of our own, and the store that is looked at.
  /// - Throws: `WiringError` for settings that name no adapter, `LibraryError` for the library:
  ///   `locked` if its engine cannot be talked to.
  public static func connect(
    at path: String, settings: Settings, overriding: Set<String> = [],
    changing change: @Sendable (inout Catalogue) -> Void = { _ in }
  ) async throws -> LibraryConnection {
    let deadline = Machine.monotonicNanoseconds &+ UInt64(patience * 1e9)
    var pause = Duration.milliseconds(20)
    while true {
      var refusal: LibraryError?
      do {
        if let other = try await running(at: path, settings: settings, changing: change) {
          return other
        }
      } catch let error as LibraryError where error.code == .policy {
        // It counts only if somebody holds the library; the lock file may be an old one.
        refusal = error
      }
      do {
        return try await own(at: path, settings: settings, overriding, change)
      } catch let error as LibraryError where error.code == .locked {
        // It is about to listen, or about to end.
        guard Machine.monotonicNanoseconds < deadline else { throw refusal ?? error }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(500))
      }
    }
  }

  /// A library that is there and cannot be written: to look at it. Its service refuses whatever would
  /// change something.
  /// - Parameters:
  ///   - reason: why there is no engine.
  ///   - change: may add stores.
  /// - Returns: nil if there is no library, or it cannot be read either.
  public static func lookOnly(
    at path: String, settings: Settings, because reason: LibraryError,
    changing change: @Sendable (inout Catalogue) -> Void = { _ in }
  ) async -> LibraryConnection? {
    guard let store = try? await openStore(at: path, settings: settings, changing: change) else {
      return nil
    }
    return LibraryConnection(store, unwritable: reason)
  }

  /// Connects to the engine that runs for a library in another process; nil if none does, or it
  /// does not listen.
  /// - Parameter change: may add stores.
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

  /// What the engine of another process is doing; nil if there is none, or it does not say so in
  /// time.
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

  private static func own(
    at path: String, settings: Settings, _ overriding: Set<String>,
    _ change: @Sendable (inout Catalogue) -> Void
  ) async throws -> LibraryConnection {
    let engine = try await openEngine(
      at: path, settings: settings, overriding: overriding, isServed: true, changing: change)
    do throws(ControlError) {
      // The lock is ours: whatever listened there is gone.
      let listener = try ControlListener(try ControlAddress(libraryRoot: path))
      let root = (try? FileSystem.realPath(path)) ?? path
      let reading = LibraryReading(root: root) { () throws(LibraryError) in
        engine.reader
      } settings: { () throws(LibraryError) in
        engine.settings
      }
      let server = try await ControlServer(
        listener, serving: engine, libraryRoot: root, reading: reading)
      return LibraryConnection(engine, server, problem: nil)
    } catch {
      return LibraryConnection(engine, nil, problem: error.detail)
    }
  }
}
