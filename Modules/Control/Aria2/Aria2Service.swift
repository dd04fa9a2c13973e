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

  /// The interval in seconds at which the state of active downloads is read and the session is saved.
  static let tickSeconds = 1.0

  private var machine: Aria2Machine
  private let library: any Aria2Library
  private var session: Aria2SessionWriter
  private let clock: any MonotonicClock
  private let report: @Sendable (Aria2Event) -> Void
  private let secret: Aria2Secret
  nonisolated let unsentReplies = Aria2UnsentReplies()
  private nonisolated let executor = BlockingExecutor("control.aria2")
  private let work: AsyncStream<Work>.Continuation
  private let items: AsyncStream<Work>
  private var tasks: [Task<Void, Never>] = []
  private var ticking: Task<Void, Never>?
  private var delays = Aria2RefusalDelays()
  private var refusedOrigins = Aria2RefusedOrigins()
  /// The last failure of a start that is tried again, which is reported once.
  private var startProblem: String?
  var sockets = Aria2Sockets()
  /// The downloads of the session file that it names no resource for. An earlier process may have created one
  /// before it was killed.
  private var restored: Set<GID>
  private var isStopping = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Creates the service with the downloads of the session file and of the input file. Nothing is downloaded
  /// before `start`.
  /// - Throws: `badValue` if an option of the server is invalid, `folder` if the session file cannot be read or
  ///   its unusable entries cannot be kept.
  init(
    _ options: Aria2Interface, root: String, library: any Aria2Library,
    clock: any MonotonicClock, random: any RandomSource = SystemRandomSource()
  ) throws(ControlError) {
    self.library = library
    self.clock = clock
    report = options.report
    secret = Aria2Secret(options.secret)
    let file = Aria2SessionFile(libraryRoot: root)
    session = Aria2SessionWriter(file, report: options.report)
    guard options.secret != nil || options.allowedOrigins.isEmpty else {
      throw ControlError(
        .badValue,
        "aria2.allowOrigin needs a secret, because every page of an allowed origin could otherwise "
          + "control the downloads")
    }
    (items, work) = AsyncStream.makeStream(of: Work.self)
    var configuration = Aria2Machine.Configuration(
      root: root, seed: random.next(),
      sessionID: String(random.hexadecimal(words: 3).prefix(40)), version: options.version)
    configuration.awaitsLibrary = true
    configuration.proxies = options.proxies
    do throws(RPCError) {
      machine = try Aria2Machine(configuration, options: options.options)
    } catch {
      throw ControlError(.badValue, error.message)
    }
    let rejection = machine.load(InputFile(try file.read(), isSession: true))
    restored = machine.unlinkedDownloads
    if !rejection.bytes.isEmpty {
      // The session file is about to be replaced by one without these entries.
      try file.keepRejected(rejection.bytes)
      report(.problem("entries of \(file.path) cannot be used; they are in \(file.rejectedPath)"))
    }
    let problems = rejection.problems + machine.load(InputFile(options.inputText)).problems
    for problem in problems { report(.problem(problem)) }
  }

  /// Starts to perform actions and to receive events.
  func start(_ service: any LibraryService) async {
    guard !isStopping else { return }
    let feed = await service.eventFeed()
    tasks.append(Task { [items] in for await item in items { await perform(item) } })
    tasks.append(Task { while let events = await feed.next() { await handle(events) } })
    let limit = (try? await service.status())?.concurrency
    machine.handle(.began(concurrency: limit), now: clock.now())
    distributeActions()
  }

  /// Stops the service, and writes the session file.
  func stop() async {
    guard !isStopping else { return }
    isStopping = true
    work.finish()
    delays.cancel()
    for task in tasks + [ticking].compactMap(\.self) { task.cancel() }
    for task in tasks { await task.value }
    await ticking?.value
    session.save(machine, now: clock.now())
    session.saveCopy(machine)
  }

  // MARK: - Calls

  /// Performs the calls of a message, and delays the response to a client without the secret.
  /// - Parameter isGone: Whether the client reads no reply any more. The rest of a long message is then given up.
  func reply(
    to text: [UInt8], from client: Client,
    isGone: @Sendable () async -> Bool = { false }
  ) async -> RPCReply {
    await updateProgress()
    // After its end, the service would not save what a client is told to have been done.
    guard !isStopping else { return .unavailable("The server is stopping.") }
    guard delays.hasRoom || isKnown(client) else {
      return .unavailable("Too many clients without the secret are waiting; try again later.")
    }
    let secret = secret
    let message = ClientMessage(text)
    let authority = RPCAuthority(isGranted: isGranted(client)) { secret.matches($0) }
    let metalinks = await read(message.metalinkDocuments(for: authority))
    var execution = MessageExecution(message, authority, metalinks)
    var saveFailure: String?
    var reply: RPCReply?
    while reply == nil {
      guard !isStopping else { return .unavailable("The server is stopping.") }
      reply = advance(&execution, of: client, &saveFailure)
      guard reply == nil else { break }
      await Task.yield()
      if await isGone() { break }
    }
    guard var reply else { return .unavailable("The client is gone.") }
    reply.replaceResults(ofChanges: await saveChanges(of: reply), ofSaves: saveFailure)
    if reply.wasRefused { await delay() }
    return reply
  }

  /// Performs the calls of one turn, and their actions.
  /// - Returns: The reply; nil if calls are left.
  private func advance(
    _ execution: inout MessageExecution, of client: Client, _ saveFailure: inout String?
  ) -> RPCReply? {
    let reply = execution.advance(&machine)
    // The socket receives the notifications of its own first call as well.
    if case .socket(let id) = client, execution.wasAuthorised { sockets.authorise(id) }
    saveFailure = distributeActions() ?? saveFailure
    return reply
  }

  /// Writes the changes to the session file, so that a client is told only what outlives this process.
  /// - Returns: Why the file lacks the changes of a reply's calls; nil if it need not contain them yet. The changes are
  ///   not undone: later calls and the library may depend on them already.
  private func saveChanges(of reply: RPCReply) async -> String? {
    let changeCount = machine.changeCount
    guard session.isPrompt(machine), !session.contains(changeCount) else { return nil }
    // A call that changes nothing does not try again what has failed.
    guard reply.hasChanges || session.failure == nil else { return nil }
    // The calls that have arrived meanwhile are performed first, and written together.
    await Task.yield()
    return session.saveChange(changeCount, of: machine, now: clock.now())
  }

  /// Reads the Metalink documents of a message in another process, before the calls of the message are performed
  /// together, in their order.
  private func read(_ documents: [MetalinkDocument]) async -> MetalinkContents {
    var contents = MetalinkContents()
    for document in documents where !isStopping && !Task.isCancelled {
      do throws(Aria2LibraryError) {
        let (files, problems) = try await library.metalinkFiles(in: document.bytes)
        contents.add(files, problems: problems, of: document)
        // The client learns of the files of a usable document only.
        if !files.isEmpty { for problem in problems { report(.problem(problem)) } }
      } catch {
        contents.add(failure: error.description, of: document)
      }
    }
    return contents
  }

  /// Decides on the handshake of a WebSocket.
  /// - Parameter bearer: The token of its `Authorization` field.
  func admit(bearer: String?) async -> Admission {
    guard secret.isRequired else { return .granted }
    guard let bearer else { return .open }
    guard delays.hasRoom, !isStopping else { return .busy }
    if secret.matches(bearer) { return .granted }
    await delay()
    return .refused
  }

  /// Whether a client has shown the secret before.
  private func isKnown(_ client: Client) -> Bool {
    guard secret.isRequired, case .socket(let id) = client else { return !secret.isRequired }
    return sockets.isAuthorised(id)
  }

  /// Whether the calls of a client need no token.
  private func isGranted(_ client: Client) -> Bool {
    guard secret.isRequired else { return true }
    return switch client {
    case .request(let bearer): bearer.map(secret.matches) ?? false
    case .socket(let id): sockets.isGranted(id)
    }
  }

  /// Reports that a web page was refused, once for each origin: the page itself sees no reason, because the browser
  /// hides the response from it.
  func reportRefusal(ofOrigin origin: String) {
    if refusedOrigins.insert(origin) { report(.refusedOrigin(origin)) }
  }

  private func delay() async {
    report(.refused)
    guard !isStopping else { return }
    let (number, task) = delays.begin(clock)
    await task.value
    delays.end(number)
  }

  // MARK: - Actions

  /// Performs the actions that concern clients at once, and queues those that concern the library.
  /// - Returns: Why a write for which a client has asked has failed.
  @discardableResult
  private func distributeActions() -> String? {
    var failure: String?
    for action in machine.takeActions() {
      switch action {
      case .notify(let notification): sockets.send(notification.bytes)
      case .saveSession:
        failure = session.saveForClient(machine, now: clock.now())
      case .shutDown: report(.shutDownRequested)
      case .reportIgnoredOption(let name): report(.ignoredOption(name))
      case .start, .stop, .discard, .limitRate, .setConcurrency, .setOverallLimit:
        work.yield(.action(action))
      }
    }
    armTick()
    return failure
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
        try await startMissing()
        startProblem = nil
      }
    } catch {
      reportOnce(error)
    }
  }

  /// Starts the downloads again that could not be started. After the first failure, the others wait for the
  /// next tick.
  private func startMissing() async throws(Aria2LibraryError) {
    for order in machine.missingResources { try await start(order) }
  }

  /// Reports a failure, but not the same one at each attempt.
  private func reportOnce(_ error: Aria2LibraryError) {
    guard startProblem != error.description else { return }
    startProblem = error.description
    report(.problem(error.description))
  }

  private func perform(_ action: Aria2Action) async throws(Aria2LibraryError) {
    switch action {
    case .start(let order): try await start(order)
    case .stop(let gid):
      if let resource = machine.resource(of: gid) { try await library.stop(resource) }
    case .discard(_, let resource): try await library.discard(resource)
    case .limitRate(let gid, _):
      // The limits as they are now: a later call may have changed them again.
      guard let resource = machine.resource(of: gid), let limits = machine.activeLimits[resource]
      else { return }
      try await library.start([resource: limits])
    case .setConcurrency(let limit): try await library.setConcurrency(limit)
    case .setOverallLimit(let limit): try await library.setRateLimit(bytesPerSecond: limit)
    case .notify, .saveSession, .shutDown, .reportIgnoredOption: break
    }
  }

  /// Starts a transfer.
  /// - Throws: An error that does not concern the download as such. The download stays active without a
  ///   transfer, until a tick starts it again.
  private func start(_ order: TransferOrder) async throws(Aria2LibraryError) {
    // A download that was paused, removed or changed needs this transfer no more.
    guard machine.isCurrent(order) else { return }
    do throws(Aria2LibraryError) {
      if let known = machine.resource(of: order.gid) {
        return try await library.start([known: order.limits])
      }
      let (resource, folder) = try await resource(for: order)
      guard machine.needsResource(of: order) else { return try await library.discard(resource) }
      machine.handle(.resourceAdded(order.gid, resource, folder: folder), now: clock.now())
      guard machine.isCurrent(order) else { return }
      try await library.start([resource: order.limits])
    } catch {
      guard error.isFinal else { throw error }
      if machine.isCurrent(order) {
        machine.handle(.startFailed(order.gid, reason: error.description), now: clock.now())
      }
      distributeActions()
    }
  }

  /// Returns the resource that an earlier process has created for the order, or creates one.
  private func resource(
    for order: TransferOrder
  ) async throws(Aria2LibraryError) -> (resource: ResourceID, folder: String) {
    if restored.remove(order.gid) != nil, let found = await library.earlierResources(for: order),
      let resource = found.resources.first(where: { machine.gid(of: $0) == nil })
    {
      return (resource, found.folder)
    }
    return try await library.addResource(for: order)
  }

  // MARK: - Events and progress

  private func handle(_ events: [LibraryEvent]) async {
    let changes = Aria2LibraryChanges(events)
    if let limit = changes.concurrency {
      machine.handle(.concurrencyChanged(limit), now: clock.now())
    }
    for record in changes.cancelled {
      guard let title = await library.title(of: record) else { continue }
      machine.handle(.recordCancelled(title: title), now: clock.now())
    }
    distributeActions()
    if changes.hasRequeued { await updateStates(of: machine.stoppedResources, mayBeRequeued: true) }
    var ended = changes.ended.filter { machine.gid(of: $0) != nil }
    if changes.concernsAll { ended += machine.unfinishedResources }
    if !ended.isEmpty { await updateStates(of: ended) }
  }

  /// Reads the states of resources from the library, and passes those that have ended to the machine.
  /// - Parameter mayBeRequeued: Whether a user may have queued them again.
  private func updateStates(of resources: [ResourceID], mayBeRequeued: Bool = false) async {
    guard let states = await library.states(of: resources) else { return }
    for id in resources {
      switch states[id] {
      case .finished(let path, let count)?:
        machine.handle(.finished(id, path: path, byteCount: count), now: clock.now())
      case .failed(let reason)?: machine.handle(.failed(id, reason: reason), now: clock.now())
      case .unfinished?: if mayBeRequeued { machine.handle(.requeued([id]), now: clock.now()) }
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

  private var needsTick: Bool { machine.activeCount > 0 || session.isBehind(machine) }

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
    if session.isDue(machine, now: clock.now()) { session.save(machine, now: clock.now()) }
    ticking = nil
    armTick()
  }
}
