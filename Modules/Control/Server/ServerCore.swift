import CLinux
import LibraryAPI
import SystemCalls

/// The connections of a server and their states. Runs on the loop's thread; request handlers run elsewhere.
actor ServerCore {
  let listener: ControlListener
  let service: any LibraryService
  let hello: HelloMessage
  let options: ControlServer.Options
  let router: Router
  /// The credentials and listeners for browsers; nil if this server has no web page.
  let web: WebAccess?
  let wallClock: any WallClock
  /// The aria2 interface with the checks of its requests; nil if this server has none.
  let aria2: (service: Aria2Service, checks: Aria2RequestChecks)?
  let hub: EventHub
  let viewedRecords = ViewedRecords()
  private let adds = OwnedAdds()
  let uploads: Uploads
  /// The access to rows, files and settings, which the server reads without the engine.
  let library: LibraryReading
  private let leases: ViewerLeases
  nonisolated let loop: SocketLoop
  private(set) var isStopping = false
  private var hasStopped: Task<Void, Never>?
  private struct Listening {
    let listener: ControlListener
    var accepting: Task<Void, Never>?
  }

  private struct Connection {
    let listener: ListenerKind
    let task: Task<Void, Never>
  }

  private var listenings: [SocketLoop.SocketID: Listening] = [:]
  /// The checks of requests through the loopback listeners; nil while there are no such listeners.
  private(set) var webChecks: WebRequestChecks?
  private var webGeneration: UInt64 = 0
  private var connections: [SocketLoop.SocketID: Connection] = [:]
  /// The connections that count against the limits, with their peers and phases.
  private var table: ConnectionTable<SocketLoop.SocketID, PeerCredentials?>
  private var handlers: [SocketLoop.SocketID: Task<ControlReply, Never>] = [:]
  /// The number of open streams of each viewer.
  var viewers: [ViewerID: Int] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.unownedExecutor }

  init(
    _ listener: ControlListener, service: any LibraryService, reading: LibraryReading,
    hello: HelloMessage, options: ControlServer.Options, loop: SocketLoop, web: WebAccess?,
    wallClock: any WallClock, aria2: (service: Aria2Service, checks: Aria2RequestChecks)? = nil
  ) {
    self.web = web
    self.aria2 = aria2
    self.wallClock = wallClock
    self.listener = listener
    self.service = service
    self.hello = hello
    self.options = options
    self.loop = loop
    library = reading
    uploads = Uploads(root: reading.root, clock: loop.clock)
    table = ConnectionTable(
      limit: options.connections, peerLimit: options.connectionsPerPeer)
    leases = ViewerLeases(clock: loop.clock) { [viewedRecords] viewer in
      viewedRecords.remove(viewer, from: nil)
      await service.clearVisibleRange(of: nil, for: viewer)
    }
    hub = EventHub(
      service, engine: hello.engine, loop: loop, options: options, viewedRecords: viewedRecords)
    router = Router(
      service, reading, hello: hello, viewedRecords: viewedRecords, adds: adds, web: web,
      views: Views(clock: loop.clock), uploads: uploads, leases: leases)
  }

  func start() async throws(SystemError) {
    await hub.start()
    try await listen(listener)
  }

  func stop() async {
    let task = hasStopped ?? Task { await shutDown() }
    hasStopped = task
    await task.value
  }

  private func shutDown() async {
    isStopping = true
    listener.removeFile()
    for id in Array(listenings.keys) { await stopListening(id) }
    for handler in handlers.values { handler.cancel() }
    await aria2?.service.stop()
    await adds.stop()
    await leases.stop()
    await uploads.stop()
    await hub.stop()
    // From now on, a response is sent only as far as the kernel's buffer accepts it at once.
    await loop.stopWaiting()
    for connection in connections.values { await connection.task.value }
  }

  // MARK: Listening

  private func listen(_ listener: ControlListener) async throws(SystemError) {
    let id = try await loop.add(listener.socket)
    listenings[id] = Listening(listener: listener)
    listenings[id]?.accepting = Task { await acceptAll(id, listener) }
  }

  private func stopListening(_ id: SocketLoop.SocketID) async {
    let accepting = listenings.removeValue(forKey: id)?.accepting
    await loop.close(id)
    await accepting?.value
  }

  /// Replaces the loopback listeners, and closes the connections of the old ones.
  /// - Parameter generation: The number of the change; a change with a lower number than the last one is
  ///   ignored.
  func replaceLoopback(_ new: LoopbackListeners, generation: UInt64) async {
    guard generation > webGeneration, !isStopping else { return }
    webGeneration = generation
    webChecks = new.checks
    for (id, listening) in listenings where listening.listener.kind == .loopback {
      await stopListening(id)
    }
    for (id, connection) in connections where connection.listener == .loopback {
      handlers[id]?.cancel()
      await loop.close(id)
    }
    // A later change may have installed its own listeners while this one waited.
    for listener in new.listeners where generation == webGeneration && !isStopping {
      try? await listen(listener)
    }
  }

  private func acceptAll(_ listening: SocketLoop.SocketID, _ listener: ControlListener) async {
    while !isStopping {
      switch await loop.accept(listening) {
      case .socket(let socket): await admit(socket, listener)
      case .outOfDescriptors:
        if let closing = table.closable() {
          table.remove(closing.id)
          await close(closing)
          continue
        }
        await loop.pause(until: loop.clock.now() + 0.1)
      case .closed: return
      }
    }
  }

  private func admit(_ socket: OwnedDescriptor, _ listener: ControlListener) async {
    guard listener.admits(socket) else {
      return reject(socket, ControlError(.forbidden, "another user's library"), listener.kind)
    }
    let peer = PeerCredentials(socket)
    switch table.makeRoom(for: peer) {
    case .admitted: break
    case .admittedAfter(let closing): await close(closing)
    case .refused(let limit, let isOfPeer):
      let owner = isOfPeer ? " of this process" : ""
      let text = "\(limit) connections\(owner) are active"
      return reject(socket, ControlError(.tooManyConnections, text), listener.kind)
    }
    if listener.kind == .loopback { imgdl_send_at_once(socket.raw) }
    let generation = webGeneration
    guard let id = try? await loop.add(socket) else { return }
    // The listener was replaced while the socket was added, so this connection must be closed as well.
    guard listener.kind == .unixSocket || generation == webGeneration else {
      return await loop.close(id)
    }
    table.add(id, of: peer)
    let task = Task {
      await serve(id, from: listener.kind)
      await forget(id)
    }
    connections[id] = Connection(listener: listener.kind, task: task)
  }

  /// Refuses a connection, with an error response if the kernel's buffer has room for it.
  private nonisolated func reject(
    _ socket: OwnedDescriptor, _ error: ControlError, _ listener: ListenerKind
  ) {
    let response = protected(.problem(ProblemMessage(error)), listener)
    SocketLoop.sendOnce(socket, response.bytes(hasBody: true, keepsConnection: false))
  }

  /// Closes a connection to make room. A client that has sent a part of a request receives an error response.
  private func close(_ closing: ConnectionTable<SocketLoop.SocketID, PeerCredentials?>.Closing)
    async
  {
    var response: [UInt8] = []
    if closing.isIncomplete {
      let error = ControlError(
        .tooManyConnections, "the request was incomplete, and its connection was needed")
      response = ControlResponse.problem(ProblemMessage(error))
        .bytes(hasBody: true, keepsConnection: false)
    }
    await loop.close(closing.id, sending: response)
  }

  private func forget(_ id: SocketLoop.SocketID) async {
    await loop.close(id)
    connections[id] = nil
    table.remove(id)
  }

  /// Records the phase of a connection's request.
  func setPhase(
    _ phase: ConnectionTable<SocketLoop.SocketID, PeerCredentials?>.Phase,
    of id: SocketLoop.SocketID
  ) {
    table.setPhase(phase, of: id)
  }

  // MARK: Handling

  /// Runs the handler in a task of its own, which is cancelled when the client closes its socket.
  func handle(_ request: ControlRequest, of id: SocketLoop.SocketID) async -> ControlReply {
    let router = router
    let task = Task.detached { await router.respond(to: request) }
    handlers[id] = task
    if isStopping { task.cancel() }
    await loop.onHangUp(id) { task.cancel() }
    let answer = await task.value
    await loop.onHangUp(id, nil)
    handlers[id] = nil
    return answer
  }
}
