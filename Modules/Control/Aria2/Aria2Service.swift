import Aria2
import LibraryAPI
import Models
import SystemCalls
import Threading

/// Performs the actions of `Aria2Machine` with a library, and passes events of the library to the machine. Runs
/// on a queue of its own, because it writes the session file.
///
/// The actions are performed one after another, so that a download that was paused and resumed stops before
/// it starts again.
actor Aria2Service {
  /// An item of work, performed in order.
  private enum Work: Sendable {
    case action(Aria2Action)
    /// Start the transfers of all active downloads again, which has no effect on running ones. The engine
    /// may have been replaced since they were started.
    case resumeTransfers
  }

  /// The delay of the response to a call without the secret, in seconds.
  static let refusalSeconds = 1.0
  /// The maximum number of delayed responses; further ones are sent at once, because a delayed response
  /// occupies a connection.
  static let delayedLimit = 8
  /// The interval in seconds at which the state of active downloads is read and the session is saved.
  static let tickSeconds = 1.0
  /// The number of downloads for which the interval between two writes of the session grows by a tick.
  private static let downloadsPerSave = 10_000

  private var machine: Aria2Machine
  private let library: any Aria2Library
  private let session: Aria2SessionFile
  private let clock: any MonotonicClock
  private let report: @Sendable (Aria2Event) -> Void
  private let checks: Aria2RequestChecks
  private nonisolated let executor = BlockingExecutor("control.aria2")
  private let work: AsyncStream<Work>.Continuation
  private let items: AsyncStream<Work>
  private var tasks: [Task<Void, Never>] = []
  private var ticking: Task<Void, Never>?
  private var delays: [Int: Task<Void, Never>] = [:]
  private var delayNumber = 0
  private var savedCount: UInt64 = 0
  /// The time at which the session file was written last.
  private var savedTime = -Double.infinity
  private var sockets = Aria2Sockets()
  private var isStopping = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Creates the service with the downloads of the session file and of the input file. Nothing is downloaded
  /// before `start`.
  /// - Throws: `badValue` if an option of the server is invalid, `folder` if the session file cannot be read.
  init(
    _ options: ControlServer.Aria2, root: String, library: any Aria2Library,
    clock: any MonotonicClock, random: any RandomSource = SystemRandomSource()
  ) throws(ControlError) {
    self.library = library
    self.clock = clock
    report = options.report
    checks = Aria2RequestChecks(secret: options.secret, allowedOrigins: options.allowedOrigins)
    session = Aria2SessionFile(libraryRoot: root)
    (items, work) = AsyncStream.makeStream(of: Work.self)
    let configuration = Aria2Machine.Configuration(
      root: root, seed: random.next(),
      sessionID: String(random.hexadecimal(words: 3).prefix(40)), version: options.version)
    do throws(RPCError) {
      machine = try Aria2Machine(configuration, options: options.options)
    } catch {
      throw ControlError(.badValue, error.message)
    }
    let texts = [try session.read(), options.inputText]
    for text in texts {
      for problem in machine.load(InputFile(text)) { report(.problem(problem)) }
    }
  }

  /// Starts to perform actions and to receive events.
  func start(_ service: any LibraryService) async {
    guard !isStopping else { return }
    let feed = await service.eventFeed()
    tasks.append(Task { [items] in for await item in items { await perform(item) } })
    tasks.append(Task { while let events = await feed.next() { await handle(events) } })
    distributeActions()
  }

  /// Stops the service, and writes the session file.
  func stop() async {
    guard !isStopping else { return }
    isStopping = true
    work.finish()
    for task in tasks + Array(delays.values) + [ticking].compactMap(\.self) { task.cancel() }
    for task in tasks { await task.value }
    await ticking?.value
    save()
  }

  // MARK: - Calls

  /// Performs the calls of a message, and delays the response to a client without the secret.
  /// - Parameter isGranted: Whether the connection is authorised.
  func reply(to message: [UInt8], isGranted: Bool) async -> RPCReply {
    await updateProgress()
    let checks = checks
    let reply = machine.handle(
      message, RPCAuthority(isGranted: isGranted) { checks.isSecret($0) })
    distributeActions()
    if reply.wasRefused {
      report(.refused)
      await delay()
    }
    return reply
  }

  private func delay() async {
    guard delays.count < Self.delayedLimit, !isStopping else { return }
    delayNumber += 1
    let number = delayNumber
    let end = clock.now() + Self.refusalSeconds
    let task = Task { [clock] in _ = try? await clock.sleep(until: end) }
    delays[number] = task
    await task.value
    delays[number] = nil
  }

  // MARK: - Actions

  /// Performs the actions that concern clients at once, and queues those that concern the library.
  private func distributeActions() {
    for action in machine.takeActions() {
      switch action {
      case .notify(let notification): sockets.send(notification.bytes)
      case .saveSession: save()
      case .shutDown: report(.shutDownRequested)
      case .reportIgnoredOption(let name): report(.ignoredOption(name))
      case .start, .stop, .discard, .limitRate, .setConcurrency, .setOverallLimit:
        work.yield(.action(action))
      }
    }
    armTick()
  }

  private func perform(_ item: Work) async {
    guard !isStopping else { return }
    do throws(Aria2LibraryError) {
      switch item {
      case .action(let action): try await perform(action)
      case .resumeTransfers:
        if machine.overallLimit > 0 {
          try await library.setRateLimit(bytesPerSecond: machine.overallLimit)
        }
        try await library.start(machine.activeLimits)
      }
    } catch {
      report(.problem(error.description))
    }
  }

  private func perform(_ action: Aria2Action) async throws(Aria2LibraryError) {
    switch action {
    case .start(let order): await start(order)
    case .stop(let gid):
      if let resource = machine.resource(of: gid) { try await library.stop(resource) }
    case .discard(let gid, let resource):
      if let resource = resource ?? machine.resource(of: gid) {
        try await library.discard(resource)
      }
    case .limitRate(let gid, let limit):
      guard let resource = machine.resource(of: gid), machine.activeLimits[resource] != nil else {
        return
      }
      try await library.start([resource: limit])
    case .setConcurrency(let limit): try await library.setConcurrency(limit)
    case .setOverallLimit(let limit): try await library.setRateLimit(bytesPerSecond: limit)
    case .notify, .saveSession, .shutDown, .reportIgnoredOption: break
    }
  }

  private func start(_ order: TransferOrder) async {
    // A download that was paused or removed, or whose URI has changed, needs this transfer no more.
    guard machine.isCurrent(order) else { return }
    do throws(Aria2LibraryError) {
      if let known = machine.resource(of: order.gid) {
        return try await library.start([known: order.bytesPerSecond])
      }
      let (resource, folder) = try await library.addResource(for: order)
      guard machine.isCurrent(order) else {
        if machine.isUnfinished(order.gid) {
          machine.handle(.resourceAdded(order.gid, resource, folder: folder), now: clock.now())
        } else {
          try await library.discard(resource)
        }
        return
      }
      machine.handle(.resourceAdded(order.gid, resource, folder: folder), now: clock.now())
      try await library.start([resource: order.bytesPerSecond])
    } catch {
      machine.handle(.startFailed(order.gid, reason: error.description), now: clock.now())
      distributeActions()
    }
  }

  // MARK: - Events and progress

  private func handle(_ events: [LibraryEvent]) async {
    var ended: [ResourceID] = []
    var isChanged = false
    for event in events {
      switch event.kind {
      case .finished(let id, _), .failed(let id, _, _, _):
        if machine.gid(of: id) != nil { ended.append(id) }
      case .recordRemoved, .wasReset, .cancelled: isChanged = true
      default: break
      }
    }
    if isChanged { ended += machine.unfinishedResources }
    if !ended.isEmpty { await updateStates(of: ended) }
  }

  /// Reads the states of resources from the library, and passes those that have ended to the machine.
  private func updateStates(of resources: [ResourceID]) async {
    guard let states = await library.states(of: resources) else { return }
    for id in resources {
      switch states[id] {
      case .finished(let path, let count)?:
        machine.handle(.finished(id, path: path, byteCount: count), now: clock.now())
      case .failed(let reason)?: machine.handle(.failed(id, reason: reason), now: clock.now())
      case .unfinished?: break
      case nil: machine.handle(.removed([id]), now: clock.now())
      }
    }
    distributeActions()
  }

  private func updateProgress() async {
    guard machine.activeCount > 0 else { return }
    machine.handle(.progressed(await library.progress()), now: clock.now())
  }

  // MARK: - Ticks

  private var needsTick: Bool { machine.activeCount > 0 || machine.changeCount != savedCount }

  private func armTick() {
    guard ticking == nil, needsTick, !isStopping else { return }
    let time = clock.now() + Self.tickSeconds
    ticking = Task {
      guard (try? await clock.sleep(until: time)) != nil else { return }
      await tick()
    }
  }

  private func tick() async {
    if machine.activeCount > 0 {
      await updateProgress()
      // Events may have been lost, and an engine that was replaced does not know the transfers.
      await updateStates(of: machine.activeResources)
      work.yield(.resumeTransfers)
    }
    // A long session is written less often, because each write contains all downloads.
    let interval = Self.tickSeconds * Double(machine.unfinishedCount / Self.downloadsPerSave)
    if machine.changeCount != savedCount, clock.now() - savedTime >= interval { save() }
    ticking = nil
    armTick()
  }

  private func save() {
    let count = machine.changeCount
    savedTime = clock.now()
    do throws(ControlError) {
      try session.write(machine.sessionText)
      savedCount = count
    } catch {
      report(.problem(error.detail))
      // The next change tries again, so that a full disk is not reported every second.
      savedCount = count
    }
  }

  // MARK: - Sockets

  /// Registers a WebSocket.
  /// - Parameter wake: Called when a notification waits for the socket.
  func connect(
    _ id: SocketLoop.SocketID, isAuthorised: Bool, wake: @escaping @Sendable () -> Void
  ) {
    sockets.add(id, isAuthorised: isAuthorised, wake: wake)
  }

  /// Lets a WebSocket receive notifications, because a call through it was authorised.
  func authorise(_ id: SocketLoop.SocketID) { sockets.authorise(id) }

  func disconnect(_ id: SocketLoop.SocketID) { sockets.remove(id) }

  /// Returns the notifications for a socket since the last call; nil if the socket has read too slowly and must
  /// be closed.
  func takeNotifications(for id: SocketLoop.SocketID) -> [[UInt8]]? { sockets.take(id) }
}
