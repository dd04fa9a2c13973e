import LibraryAPI
import SystemCalls

/// The connections of a server and their states. Runs on the loop's thread; request handlers do not.
actor ServerCore {
  let listener: ControlListener
  let service: any LibraryService
  let hello: HelloMessage
  let options: ControlServer.Options
  let router: Router
  let hub: EventHub
  let viewedRecords = ViewedRecords()
  private let adds = OwnedAdds()
  nonisolated let loop: SocketLoop
  private(set) var isStopping = false
  private var hasStopped: Task<Void, Never>?
  private var accepting: Task<Void, Never>?
  private var listening: SocketLoop.SocketID?
  /// The task of each open connection.
  private var connections: [SocketLoop.SocketID: Task<Void, Never>] = [:]
  /// The connections that count against the limits, with their peers and phases.
  private var table: ConnectionTable<SocketLoop.SocketID, PeerCredentials?>
  private var handlers: [SocketLoop.SocketID: Task<ControlReply, Never>] = [:]
  /// The number of open streams of each viewer.
  var viewers: [ViewerID: Int] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.unownedExecutor }

  init(
    _ listener: ControlListener, service: any LibraryService, reading: LibraryReading,
    hello: HelloMessage, options: ControlServer.Options, loop: SocketLoop
  ) {
    self.listener = listener
    self.service = service
    self.hello = hello
    self.options = options
    self.loop = loop
    table = ConnectionTable(
      limit: options.connections, peerLimit: options.connectionsPerPeer)
    hub = EventHub(
      service, engine: hello.engine, loop: loop, options: options, viewedRecords: viewedRecords)
    router = Router(service, reading, hello: hello, viewedRecords: viewedRecords, adds: adds)
  }

  func start() async throws(SystemError) {
    await hub.start()
    let id = try await loop.add(listener.socket)
    listening = id
    accepting = Task { await acceptAll(id) }
  }

  func stop() async {
    let task = hasStopped ?? Task { await shutDown() }
    hasStopped = task
    await task.value
  }

  private func shutDown() async {
    isStopping = true
    listener.removeFile()
    if let listening { await loop.close(listening) }
    await accepting?.value
    for handler in handlers.values { handler.cancel() }
    await adds.stop()
    await hub.stop()
    // From here on, a response is sent only as far as the kernel accepts it at once.
    await loop.stopWaiting()
    for connection in connections.values { await connection.value }
  }

  // MARK: Accepting

  private func acceptAll(_ listening: SocketLoop.SocketID) async {
    while !isStopping {
      switch await loop.accept(listening) {
      case .socket(let socket): await admit(socket)
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

  private func admit(_ socket: OwnedDescriptor) async {
    guard listener.admits(socket) else {
      return reject(socket, ControlError(.forbidden, "another user's library"))
    }
    let peer = PeerCredentials(socket)
    switch table.makeRoom(for: peer) {
    case .admitted: break
    case .admittedAfter(let closing): await close(closing)
    case .refused(let limit, let isOfPeer):
      let owner = isOfPeer ? " of this process" : ""
      let text = "\(limit) connections\(owner) are active"
      return reject(socket, ControlError(.tooManyConnections, text))
    }
    guard let id = try? await loop.add(socket) else { return }
    table.add(id, of: peer)
    connections[id] = Task {
      await serve(id)
      await forget(id)
    }
  }

  /// Refuses a connection, with an error response if the kernel's buffer has room for it.
  private nonisolated func reject(_ socket: OwnedDescriptor, _ error: ControlError) {
    let response = ControlResponse.problem(ProblemMessage(error))
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
