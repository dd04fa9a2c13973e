import Engine
import LibraryAPI
import Models
import Persistence
import SystemCalls

/// Runs the engine of a library, and replaces the engine while clients use it, either by one with new
/// settings or after the engine could not continue (disk full). Calls that arrive meanwhile wait for the next
/// engine.
///
/// The sequence numbers of events continue from one engine to the next.
actor EngineHost {
  /// A change in the state of the engine that a host runs.
  enum Event: Sendable {
    case began
    case ended
    /// The engine cannot continue, or the next one cannot start. The host retries after this number of
    /// seconds.
    case failed(LibraryError, retryingIn: Double)
  }

  private let open: @Sendable (Settings) async throws -> Engine
  private let report: @Sendable (Event) -> Void
  private var settings: Settings
  private var current: Task<Engine, any Error>
  private var isClosed = false
  private var seq: UInt64 = 0
  private var broadcaster = EventBroadcaster()
  private var relaying: Task<Void, Never>?
  private var recovering: Task<Void, Never>?
  private var restarts: EngineRestarts

  /// The delay in seconds before an engine that could not continue is replaced. `first` is doubled after each
  /// failure, up to `most`.
  static let recovery = (first: 5.0, most: 60.0)
  private let freeBytes: @Sendable () async -> Int64?

  /// - Parameters:
  ///   - freeBytes: Returns the number of free bytes on the library's disk; nil if it is unknown.
  ///   - open: Opens an engine with the given settings; the host starts it.
  init(
    _ settings: Settings, recovery: (first: Double, most: Double) = EngineHost.recovery,
    onEvent: @escaping @Sendable (Event) -> Void,
    freeBytes: @escaping @Sendable () async -> Int64? = { nil },
    opening open: @escaping @Sendable (Settings) async throws -> Engine
  ) async throws {
    self.settings = settings
    restarts = EngineRestarts(first: recovery.first, most: recovery.most)
    self.freeBytes = freeBytes
    self.open = open
    self.report = onEvent
    let engine = try await open(settings)
    current = Task { engine }
  }

  /// Starts the first engine. Clients that have subscribed before receive every event.
  func start() async throws(LibraryError) {
    let engine = try await engine()
    restarts.began(free: await freeBytes())
    await relay(engine)
    try await engine.start()
    report(.began)
  }

  /// Returns the current engine; while an engine is being replaced, waits for the next one.
  func engine() async throws(LibraryError) -> Engine {
    guard !isClosed else { throw LibraryError(.interrupted, "") }
    do {
      return try await current.value
    } catch {
      throw error as? LibraryError ?? LibraryError(.io, "\(error)")
    }
  }

  /// Stops the engine, and starts the next one with the given settings.
  func replace(with settings: Settings) async throws(LibraryError) {
    self.settings = settings
    recovering?.cancel()
    recovering = nil
    restarts.progressed()
    startNext()
    do throws(LibraryError) {
      _ = try await engine()
    } catch {
      recoverLater(from: error)
      throw error
    }
  }

  /// Returns a descriptor that holds the library's lock also after `close`; nil if there is none.
  func heldLock() async -> OwnedDescriptor? { try? await current.value.heldLock() }

  /// Stops the engine, and ends the event streams of all clients.
  func close() async {
    guard !isClosed else { return }
    isClosed = true
    recovering?.cancel()
    if let engine = try? await current.value {
      await engine.stop()
      report(.ended)
    }
    await relaying?.value
    broadcaster.finish()
  }

  private func startNext() {
    let old = current
    let (open, settings) = (open, settings)
    current = Task {
      if let engine = try? await old.value { await engine.stop() }
      await relaying?.value
      guard !isClosed else { throw LibraryError(.interrupted, "") }
      restarts.began(free: await freeBytes())
      let engine = try await open(settings)
      await relay(engine)
      do {
        try await engine.start()
      } catch {
        await engine.stop()
        throw error
      }
      report(.began)
      return engine
    }
  }

  // MARK: Recovery

  /// The failure of the last engine, until one has achieved something.
  var lastFailure: LibraryError? { restarts.failure }

  private func recoverLater(from error: LibraryError) {
    guard !isClosed, recovering == nil else { return }
    recovering = Task {
      var pause = restarts.failed(error)
      report(.failed(error, retryingIn: pause))
      repeat {
        guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
        pause = restarts.nextDelay()
      } while await !isRestartable()
      guard !isClosed, !Task.isCancelled else { return }
      recovering = nil
      startNext()
      do throws(LibraryError) {
        _ = try await engine()
      } catch {
        recoverLater(from: error)
      }
    }
  }

  private func isRestartable() async -> Bool { restarts.mayRestart(free: await freeBytes()) }

  // MARK: Events

  private func relay(_ engine: Engine) async {
    let feed = await engine.eventFeed()
    let base = seq
    relaying = Task {
      while let events = await feed.next() {
        for event in events { forward(event, base) }
      }
    }
  }

  private func forward(_ event: LibraryEvent, _ base: UInt64) {
    seq = base &+ event.seq
    let event = LibraryEvent(seq: seq, kind: event.kind)
    broadcaster.send(event)
    if case .finished = event.kind { restarts.progressed() }
    if case .stopped(let error) = event.kind, error.code != .interrupted {
      recoverLater(from: error)
    }
  }

  func eventStream() -> AsyncStream<LibraryEvent> {
    broadcaster.subscribe { number in
      Task { [weak self] in await self?.unsubscribe(number) }
    }
  }

  func eventFeed() -> EventFeed { broadcaster.feed() }

  private func unsubscribe(_ number: Int) { broadcaster.remove(number) }
}
