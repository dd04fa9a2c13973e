import LibraryAPI
import Models
import ProgressTree
import SystemCalls

/// Distributes the library's events to all readers. The hub keeps events in a ring, from which each reader
/// reads at its own speed. An event is encoded once, for its first reader. Runs on the server's thread.
actor EventHub {
  struct EventPortion: Sendable {
    var bytes: [UInt8] = []
    /// Whether events are missing, because the reader was too slow.
    var hasGap = false
    var position: Position
  }

  /// The last event number and progress version that a reader has received.
  struct Position: Sendable, Equatable {
    var seq: UInt64?
    var progress: UInt64 = 0
  }

  private struct EncodedProgress: Sendable {
    var bytes: [UInt8] = []
    var version: UInt64 = 0
  }

  nonisolated let loop: SocketLoop
  private let service: any LibraryService
  private let options: ControlServer.Options
  private var ring: EventRing<LibraryEvent>
  /// The last encoded progress of each scope, with the version number of its last change.
  private var progress: [ProgressScope: EncodedProgress] = [:]
  private var progressVersion: UInt64 = 0
  /// The progress scope that each reader requested.
  private var readers: [SocketLoop.SocketID: ProgressScope] = [:]
  private let viewedRecords: ViewedRecords
  private var listening: Task<Void, Never>?
  private var pump: Task<Void, Never>?
  private var wakeTask: Task<Void, Never>?
  private var lastWakeTime = -Double.infinity
  /// The pause between two reads of the feed; nil if there is none.
  private var pauseTask: Task<Void, Never>?
  private var isStopping = false
  private(set) var isOver = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.unownedExecutor }

  /// The maximum size in bytes of the events that are sent to a reader at once; bounds the memory for a slow
  /// reader.
  private static let portion = 65_536
  /// The pause in seconds between two reads of the feed while there are no readers.
  private static let pauseSeconds = 0.02

  init(
    _ service: any LibraryService, engine: String, loop: SocketLoop,
    options: ControlServer.Options, viewedRecords: ViewedRecords
  ) {
    self.viewedRecords = viewedRecords
    self.service = service
    self.loop = loop
    self.options = options
    ring = EventRing(countLimit: options.ringEvents, byteLimit: options.ringBytes) { event in
      let data = (try? JSONText.encode(EventMessage(event))) ?? []
      return ServerSentEvent.bytes(
        nil, id: EventID(engine: engine, seq: event.seq), data: data)
    }
  }

  /// Subscribes to the library's events. On return the hub receives every later event.
  func start() async {
    let feed = await service.eventFeed()
    listening = Task.detached { [self] in
      while let events = await feed.next() {
        await publish(events)
        await pauseWithoutReaders()
      }
      await finish()
    }
  }

  /// Stops the hub. Readers still receive the events in the ring; the hub makes no further call to the
  /// library.
  func stop() async {
    isStopping = true
    // The tasks end in this order, because the earlier ones start the later ones.
    pauseTask?.cancel()
    listening?.cancel()
    await listening?.value
    pump?.cancel()
    await pump?.value
    wakeTask?.cancel()
    await wakeTask?.value
    await finish()
  }

  /// The number of the newest event; nil before the first.
  var newest: UInt64? { ring.newest }

  func join(_ reader: SocketLoop.SocketID, wanting scope: ProgressScope) {
    readers[reader] = scope
    pauseTask?.cancel()
    if scope != .none { startPump() }
  }

  func removeReader(_ reader: SocketLoop.SocketID) {
    guard let scope = readers.removeValue(forKey: reader) else { return }
    if !readers.values.contains(scope) { progress[scope] = nil }
  }

  /// Returns the encoded events and the progress that follow a reader's position.
  func portion(after position: Position, progress scope: ProgressScope) -> EventPortion {
    var portion = EventPortion(position: position)
    switch ring.read(after: position.seq, limit: Self.portion) {
    case .nothing: break
    case .bytes(let bytes, let last):
      portion.bytes = bytes
      portion.position.seq = last
    case .overwritten: portion.hasGap = true
    }
    if scope != .none, let progress = progress[scope], progress.version > position.progress {
      portion.bytes += progress.bytes
      portion.position.progress = progress.version
    }
    return portion
  }

  private func publish(_ events: [LibraryEvent]) {
    for event in events { ring.append(event, size: event.approximateSize, seq: event.seq) }
    startPump()
    if !readers.isEmpty { scheduleWake() }
  }

  /// Waits while there are no readers, so that events are read from the feed in batches. Returns early when a
  /// reader joins.
  private func pauseWithoutReaders() async {
    guard readers.isEmpty, !isStopping else { return }
    let end = loop.clock.now() + Self.pauseSeconds
    let task = Task { _ = try? await loop.clock.sleep(until: end) }
    pauseTask = task
    await task.value
    pauseTask = nil
  }

  /// Marks the end of all streams, and wakes the readers, which send the remaining events and end.
  private func finish() async {
    isOver = true
    await wakeReaders()
  }

  // MARK: Waking

  private func scheduleWake() {
    guard wakeTask == nil else { return }
    let time = max(lastWakeTime + options.wakeSeconds, loop.clock.now())
    wakeTask = Task {
      if time > loop.clock.now() { try? await loop.clock.sleep(until: time) }
      wakeTask = nil
      lastWakeTime = loop.clock.now()
      await wakeReaders()
    }
  }

  private func wakeReaders() async {
    for reader in readers.keys { await loop.wake(reader) }
  }

  // MARK: Progress

  /// Starts to poll the progress, as long as work is under way and a reader requests progress.
  private func startPump() {
    guard pump == nil, !isStopping, !isOver, readers.values.contains(where: { $0 != .none }) else {
      return
    }
    pump = Task {
      await pumpProgress()
      pump = nil
    }
  }

  private func pumpProgress() async {
    while !isOver, readers.values.contains(where: { $0 != .none }) {
      let seen = ring.newest
      let scopes = Set(readers.values).subtracting([.none])
      guard let (updates, isBusy) = await Self.progress(of: service, scopes, viewedRecords) else {
        return
      }
      updateProgress(updates)
      let next = loop.clock.now() + options.progressSeconds
      guard (try? await loop.clock.sleep(until: next)) != nil else { return }
      if !isBusy, ring.newest == seen { return }
    }
  }

  private func updateProgress(_ updates: [ProgressScope: [UInt8]]) {
    for (scope, bytes) in updates where progress[scope]?.bytes != bytes {
      // The last reader of this scope may have left while its progress was encoded.
      guard readers.values.contains(scope) else { continue }
      progressVersion += 1
      progress[scope] = EncodedProgress(bytes: bytes, version: progressVersion)
      scheduleWake()
    }
  }

  /// Returns the progress of each scope, encoded once for all its readers, or nil if the status is not
  /// available.
  @concurrent
  private static func progress(
    of service: any LibraryService, _ scopes: Set<ProgressScope>, _ viewedRecords: ViewedRecords
  ) async -> (updates: [ProgressScope: [UInt8]], isBusy: Bool)? {
    guard let status = try? await service.status() else { return nil }
    var updates: [ProgressScope: [UInt8]] = [:]
    for scope in scopes {
      let message = ProgressMessage(scope.narrow(status.progress, viewedRecords: viewedRecords))
      guard let data = try? JSONText.encode(message) else { return nil }
      updates[scope] = ServerSentEvent.bytes("progress", data: data)
    }
    let isBusy = status.active > 0 || status.progress.activity != .init()
    return (updates, isBusy)
  }
}
