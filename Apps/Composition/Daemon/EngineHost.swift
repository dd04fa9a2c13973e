import Engine
import LibraryAPI
import Models
import Persistence

/// A library whose engine may be put in place of another one while programs ask it: with new
/// settings, or after it could not continue (disk full). Who asks meanwhile waits for the next engine.
///
/// Numbers of events continue over all engines.
actor EngineHost {
  /// What happened to the engine itself.
  enum News: Sendable {
    case began
    case ended
    /// It cannot continue, or the next one cannot begin; tried again in so many seconds.
    case failed(LibraryError, retryingIn: Double)
  }

  private let open: @Sendable (Settings) async throws -> Engine
  private let tell: @Sendable (News) -> Void
  private var settings: Settings
  private var current: Task<Engine, any Error>
  private var isClosed = false
  private var seq: UInt64 = 0
  private var listeners: [Int: AsyncStream<LibraryEvent>.Continuation] = [:]
  private var nextListener = 0
  private var relaying: Task<Void, Never>?
  private var recovering: Task<Void, Never>?
  private var failures = 0

  /// A slow listener loses the oldest events; the numbers show it.
  private static let buffer = 4_096
  /// Seconds until an engine that could not continue is replaced: the first time, and at most.
  static let recovery = (first: 5.0, most: 60.0)
  private let recovery: (first: Double, most: Double)

  /// - Parameter open: opens an engine with these settings, and does not start it.
  init(
    _ settings: Settings, recovery: (first: Double, most: Double) = EngineHost.recovery,
    telling tell: @escaping @Sendable (News) -> Void,
    opening open: @escaping @Sendable (Settings) async throws -> Engine
  ) async throws {
    self.settings = settings
    self.recovery = recovery
    self.open = open
    self.tell = tell
    let engine = try await open(settings)
    current = Task { engine }
  }

  /// Begins to work. Listeners that are there hear everything.
  func start() async throws(LibraryError) {
    let engine = try await engine()
    await relay(engine)
    try await engine.start()
    tell(.began)
  }

  /// The engine of this moment; waits while it is being replaced.
  func engine() async throws(LibraryError) -> Engine {
    guard !isClosed else { throw LibraryError(.interrupted, "") }
    do {
      return try await current.value
    } catch {
      throw error as? LibraryError ?? LibraryError(.io, "\(error)")
    }
  }

  /// Ends the engine and begins the next one, with these settings.
  func replace(with settings: Settings) async throws(LibraryError) {
    self.settings = settings
    recovering?.cancel()
    recovering = nil
    failures = 0
    beginNext()
    do throws(LibraryError) {
      _ = try await engine()
    } catch {
      recoverLater(from: error)
      throw error
    }
  }

  /// Ends the engine, and everything that listens.
  func close() async {
    guard !isClosed else { return }
    isClosed = true
    recovering?.cancel()
    if let engine = try? await current.value {
      await engine.stop()
      tell(.ended)
    }
    await relaying?.value
    for listener in listeners.values { listener.finish() }
    listeners = [:]
  }

  private func beginNext() {
    let old = current
    let (open, settings) = (open, settings)
    current = Task {
      if let engine = try? await old.value { await engine.stop() }
      await relaying?.value
      guard !isClosed else { throw LibraryError(.interrupted, "") }
      let engine = try await open(settings)
      await relay(engine)
      do {
        try await engine.start()
      } catch {
        await engine.stop()
        throw error
      }
      tell(.began)
      return engine
    }
  }

  // MARK: Recovery

  private func recoverLater(from error: LibraryError) {
    guard !isClosed, recovering == nil else { return }
    let pause = min(recovery.most, recovery.first * Double(1 << min(failures, 6)))
    failures += 1
    tell(.failed(error, retryingIn: pause))
    recovering = Task {
      guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
      recovering = nil
      beginNext()
      do throws(LibraryError) {
        _ = try await engine()
        failures = 0
      } catch {
        recoverLater(from: error)
      }
    }
  }

  // MARK: Events

  private func relay(_ engine: Engine) async {
    let feed = await engine.eventFeed()
    let base = seq
    relaying = Task {
      while let events = await feed.next() {
        for event in events { pass(event, base) }
      }
    }
  }

  private func pass(_ event: LibraryEvent, _ base: UInt64) {
    seq = base &+ event.seq
    let event = LibraryEvent(seq: seq, kind: event.kind)
    for listener in listeners.values { listener.yield(event) }
    if case .stopped(let error) = event.kind, error.code != .interrupted {
      recoverLater(from: error)
    }
  }

  func eventStream() -> AsyncStream<LibraryEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: LibraryEvent.self, bufferingPolicy: .bufferingNewest(Self.buffer))
    guard !isClosed else {
      continuation.finish()
      return stream
    }
    let number = nextListener
    nextListener += 1
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { [weak self] in await self?.forget(number) }
    }
    return stream
  }

  private func forget(_ number: Int) { listeners[number] = nil }
}
