import Composition
import LibraryAPI
import Models
import Persistence
import ProgressTree
import Screens
import Synchronization
import SystemCalls

/// The interface's connection to its library: performs the effects of the state, and posts their results.
actor LibrarySession {
  let path: String
  let loaded: LoadedSettings
  let inbox: Inbox
  let readingPositions: ReadingPositions
  let viewer = ViewerID(UInt64.random(in: 0 ... .max))
  private let watched = Mutex<Set<RecordID>>([])
  /// The requested effects, in order.
  private nonisolated let orders: AsyncStream<Effect>.Continuation
  private let orderStream: AsyncStream<Effect>

  var connection: LibraryConnection?
  var connecting: Task<LibraryConnection, any Error>?
  var eventTask: Task<Void, Never>?
  var sources: [SourceID: SourceRow] = [:]
  /// The records in the order that was requested last, with their numbers in the library.
  var sortedRecords: (ids: [RecordID], numbers: [UInt32]) = ([], [])
  /// The number of cancelled resources in the whole library; nil if they must be counted again.
  var cancelled: Int?
  private var isCounting = false
  var change = LibraryChange()
  var isChangePostScheduled = false
  /// The sequence number of the last event; nil before the first.
  var lastSeq: UInt64?
  /// The last transition of each resource, from events. A snapshot that was requested before an event may not
  /// include it.
  var transitions = Transitions()
  /// The records whose slices are being read; the value is true if they must be read once more afterwards.
  var slicesBeingRead: [RecordID: Bool] = [:]
  /// The number of this session's requests during which a source is read. While it is 0, events about the
  /// reading of sources are ignored, because they are outdated or belong to other clients.
  var sourcesBeingRead = 0
  private var restarts = RestartBudget()
  private var isPolling = false
  private var needsAnotherPoll = false
  private var isClosed = false

  init(_ path: String, _ loaded: LoadedSettings, inbox: Inbox, places: ReadingPositions) {
    self.path = path
    self.loaded = loaded
    self.inbox = inbox
    self.readingPositions = places
    (orderStream, orders) = AsyncStream.makeStream(of: Effect.self)
  }

  /// Connects, and processes effects until `close`.
  func run() async {
    do {
      _ = try await connected()
    } catch {
      inbox.post(.lost(Self.message(error)))
    }
    for await effect in orderStream {
      // Reading runs concurrently; the visible ranges are reported to the engine in order.
      switch effect {
      case .setVisibleRange, .clearVisibleRange: await handle(effect)
      default: Task { await self.handle(effect) }
      }
    }
  }

  nonisolated func perform(_ effect: Effect) { orders.yield(effect) }

  /// Sets the records whose progress is shown.
  nonisolated func setWatched(_ records: Set<RecordID>) {
    watched.withLock { $0 = records }
  }

  /// Closes the connection. An engine of this process stops; that of another process continues.
  func close() async {
    isClosed = true
    orders.finish()
    eventTask?.cancel()
    guard let connection else { return }
    await connection.service.clearVisibleRange(of: nil, for: viewer)
    await connection.close()
  }

  /// Whether the engine runs in this process, so that downloads end with it.
  var isOwn: Bool { connection?.engine != nil }

  // MARK: - Connecting

  func connected() async throws -> LibraryConnection {
    if let connection { return connection }
    if let connecting { return try await connecting.value }
    let task = Task { try await open() }
    connecting = task
    defer { connecting = nil }
    return try await task.value
  }

  private func open() async throws -> LibraryConnection {
    let new = try await LibraryOpening.connect(path, loaded)
    connection = new.connection
    inbox.post(.owner(Self.owner(new.connection)))
    cancelled = nil
    if let warning = new.warning { inbox.post(.failed(warning)) }
    lastSeq = nil
    transitions.removeAll()
    let events = await new.connection.service.eventStream()
    eventTask = Task { [weak self] in
      for await event in events { await self?.handle(event) }
      await self?.engineEnded()
    }
    try await new.connection.engine?.start()
    var everything = LibraryChange()
    everything.isEverything = true
    inbox.post(.changed(everything))
    startPolling()
    return new.connection
  }

  private static func owner(_ connection: LibraryConnection) -> LibraryOwner {
    if connection.engine != nil { return .program }
    return connection.program.map { .other($0) } ?? .noProcess
  }

  /// Handles the end of the engine. An imgdld that was stopped deliberately stays stopped until the user
  /// requests something or another process starts one; an imgdld that was killed, and another program that
  /// ran the engine, are replaced at once.
  func engineEnded() async {
    guard !isClosed, let old = connection else { return }
    connection = nil
    guard old.engine == nil else { return inbox.post(.lost("Downloads have stopped")) }
    // An imgdld that stops deliberately removes its socket before it closes its connections.
    let wasStopped = old.isDaemon && !(old.socket.map { FileSystem.exists($0) } ?? false)
    let name = old.program ?? "The program that downloads"
    let restarts =
      !wasStopped && restarts.admits(at: Double(Machine.monotonicNanoseconds) / 1e9)
    inbox.post(
      .lost(
        restarts
          ? "\(name) has exited; reconnecting …"
          : "\(name) \(wasStopped ? "was stopped" : "has exited repeatedly"): downloads have stopped"
      ))
    await old.close()
    if restarts {
      do {
        _ = try await connected()
      } catch {
        inbox.post(.lost(Self.message(error)))
      }
    }
    var pause = 0.25
    while !isClosed, connection == nil {
      try? await Task.sleep(for: .seconds(pause))
      pause = min(5, pause * 2)
      guard connection == nil, !isClosed, await LibraryOpening.isRunning(path) else { continue }
      _ = try? await connected()
    }
  }

  // MARK: - Progress

  /// Starts posting snapshots at intervals, until no work is left.
  func startPolling() {
    guard !isPolling else {
      needsAnotherPoll = true
      return
    }
    isPolling = true
    Task { await self.poll() }
  }

  private func poll() async {
    var isMoving = true
    while isMoving, !isClosed, let connection {
      needsAnotherPoll = false
      let begin = Machine.monotonicNanoseconds
      guard let facts = await facts(connection) else { break }
      inbox.post(.snapshot(facts))
      // The engine reports a source only when it has begun to read it, so requests count as work.
      let isBusy = facts.isMoving || needsAnotherPoll || sourcesBeingRead > 0
      isMoving = isBusy || facts.isWaiting
      guard isMoving else { break }
      // A snapshot of a large library is expensive, so the pause after it is at least nine times as long.
      let cost = Double(Machine.monotonicNanoseconds - begin) / 1e9
      let interval = isBusy ? Self.interval : Self.waitingInterval
      try? await Task.sleep(for: .seconds(max(interval, cost * 9)))
    }
    isPolling = false
    if needsAnotherPoll { startPolling() }
  }

  /// The number of seconds between snapshots.
  private static let interval = 0.1
  /// The number of seconds between snapshots while all work waits and only the remaining seconds are
  /// counted down.
  private static let waitingInterval = 0.5

  private func facts(_ connection: LibraryConnection) async -> LibrarySnapshot? {
    guard let status = try? await connection.service.status(),
      let counts = try? await connection.store.totals()
    else { return nil }
    var facts = LibrarySnapshot(status, counts, watched: watchedNow)
    facts.cancelled = await cancelledCount(connection, counts)
    facts.apply(transitions.newer(than: status.seq))
    return facts
  }

  /// Returns the number of cancelled resources. Counts them, by a query for each record with failures, only
  /// if the number may have changed.
  private func cancelledCount(
    _ connection: LibraryConnection, _ counts: ResourceCounts
  ) async -> Int {
    guard counts.failed > 0 else { return 0 }
    if cancelled == nil, !isCounting {
      isCounting = true
      cancelled = 0
      let found = await connection.store.cancelledCount()
      isCounting = false
      if cancelled != nil { cancelled = found }
    }
    return cancelled ?? 0
  }

  /// Makes the next snapshot count the cancelled resources again.
  func countCancelledAgain() { cancelled = nil }

  @inline(never)
  private nonisolated var watchedNow: Set<RecordID> { watched.withLock { $0 } }

  static func message(_ error: any Error) -> String {
    let text =
      switch error {
      case let error as LibraryError: error.detail
      case let error as StoreError: error.detail
      case let error as SystemError: error.description
      default: "\(error)"
      }
    return CredentialMask.masked(text)
  }
}
