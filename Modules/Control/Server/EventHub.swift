import LibraryAPI
import Models
import ProgressTree
import SystemCalls

/// Hands the library's events to every reader: kept in the ring, taken from there by each reader at
/// its own speed, encoded once, for the first of them. Lives on the server's thread.
actor EventHub {
  struct News: Sendable {
    var bytes: [UInt8] = []
    /// The reader is too slow: events are missing.
    var isLost = false
    var position: Position
  }

  /// How far a reader is.
  struct Position: Sendable, Equatable {
    var seq: UInt64?
    var progress: UInt64 = 0
  }

  private struct Progress: Sendable {
    var bytes: [UInt8] = []
    var version: UInt64 = 0
  }

  nonisolated let loop: SocketLoop
  private let service: any LibraryService
  private let options: ControlServer.Options
  private var ring: EventRing<LibraryEvent>
  /// As it goes out, and when it changed last, by what is wanted of it.
  private var progress: [ProgressScope: Progress] = [:]
  private var progressVersion: UInt64 = 0
  /// Of what each wants progress.
  private var readers: [SocketLoop.SocketID: ProgressScope] = [:]
  private let sights: ViewedRecords
  private var listening: Task<Void, Never>?
  private var pump: Task<Void, Never>?
  private var waking: Task<Void, Never>?
  private var lastWaking = -Double.infinity
  /// Between two looks at what has happened.
  private var rest: Task<Void, Never>?
  private var isStopping = false
  private(set) var isOver = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.unownedExecutor }

  /// Bytes that a reader takes at once, and that may wait for a slow one.
  private static let portion = 65_536
  /// Between two looks at what has happened, while nobody reads.
  private static let restSeconds = 0.02

  init(
    _ service: any LibraryService, engine: String, loop: SocketLoop,
    options: ControlServer.Options, sights: ViewedRecords
  ) {
    self.sights = sights
    self.service = service
    self.loop = loop
    self.options = options
    ring = EventRing(countLimit: options.ringEvents, byteLimit: options.ringBytes) { event in
      let data = (try? JSONText.encode(EventMessage(event))) ?? []
      return ServerSentEvent.bytes(
        nil, id: EventID(engine: engine, seq: event.seq), data: data)
    }
  }

  /// Every event from the return on is kept for readers.
  func start() async {
    let feed = await service.eventFeed()
    listening = Task.detached { [self] in
      while let events = await feed.next() {
        await publish(events)
        await rest()
      }
      await finish()
    }
  }

  /// What the library has told so far reaches its readers; the library is asked nothing any more.
  func stop() async {
    isStopping = true
    // In this order: the first begin the others.
    rest?.cancel()
    listening?.cancel()
    await listening?.value
    pump?.cancel()
    await pump?.value
    waking?.cancel()
    await waking?.value
    await finish()
  }

  /// The number of the newest event.
  var newest: UInt64? { ring.newest }

  func join(_ reader: SocketLoop.SocketID, wanting scope: ProgressScope) {
    readers[reader] = scope
    rest?.cancel()
    if scope != .none { startPump() }
  }

  func leave(_ reader: SocketLoop.SocketID) {
    guard let scope = readers.removeValue(forKey: reader) else { return }
    if !readers.values.contains(scope) { progress[scope] = nil }
  }

  /// What is new for a reader since a position.
  func news(since position: Position, wanting scope: ProgressScope) -> News {
    var news = News(position: position)
    switch ring.read(after: position.seq, limit: Self.portion) {
    case .nothing: break
    case .bytes(let bytes, let last):
      news.bytes = bytes
      news.position.seq = last
    case .lost: news.isLost = true
    }
    if scope != .none, let progress = progress[scope], progress.version > position.progress {
      news.bytes += progress.bytes
      news.position.progress = progress.version
    }
    return news
  }

  private func publish(_ events: [LibraryEvent]) {
    for event in events { ring.append(event, size: event.approximateSize, seq: event.seq) }
    startPump()
    if !readers.isEmpty { scheduleWaking() }
  }

  /// While nobody reads, what happens is taken all at once. Ends when somebody comes.
  private func rest() async {
    guard readers.isEmpty, !isStopping else { return }
    let end = loop.clock.now() + Self.restSeconds
    let task = Task { _ = try? await loop.clock.sleep(until: end) }
    rest = task
    await task.value
    rest = nil
  }

  /// The library is closed: readers take what is left and go.
  private func finish() async {
    isOver = true
    await wakeReaders()
  }

  // MARK: Waking

  private func scheduleWaking() {
    guard waking == nil else { return }
    let time = max(lastWaking + options.wakeSeconds, loop.clock.now())
    waking = Task {
      if time > loop.clock.now() { try? await loop.clock.sleep(until: time) }
      waking = nil
      lastWaking = loop.clock.now()
      await wakeReaders()
    }
  }

  private func wakeReaders() async {
    for reader in readers.keys { await loop.wake(reader) }
  }

  // MARK: Progress

  /// Asks for progress as long as something runs and somebody wants it.
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
      guard let (news, isBusy) = await Self.progress(of: service, scopes, sights) else { return }
      note(news)
      let next = loop.clock.now() + options.progressSeconds
      guard (try? await loop.clock.sleep(until: next)) != nil else { return }
      if !isBusy, ring.newest == seen { return }
    }
  }

  private func note(_ news: [ProgressScope: [UInt8]]) {
    for (scope, bytes) in news where progress[scope]?.bytes != bytes {
      // Nobody may have waited for it.
      guard readers.values.contains(scope) else { continue }
      progressVersion += 1
      progress[scope] = Progress(bytes: bytes, version: progressVersion)
      scheduleWaking()
    }
  }

  /// Encoded once for all who want the same.
  @concurrent
  private static func progress(
    of service: any LibraryService, _ scopes: Set<ProgressScope>, _ sights: ViewedRecords
  ) async -> (news: [ProgressScope: [UInt8]], isBusy: Bool)? {
    guard let status = try? await service.status() else { return nil }
    var news: [ProgressScope: [UInt8]] = [:]
    for scope in scopes {
      let message = ProgressMessage(scope.narrow(status.progress, sights: sights))
      guard let data = try? JSONText.encode(message) else { return nil }
      news[scope] = ServerSentEvent.bytes("progress", data: data)
    }
    let isBusy = status.active > 0 || status.progress.activity != .init()
    return (news, isBusy)
  }
}
