import CLinux
import SystemCalls

/// Accepts the connections of a server through its listeners, as far as its limits have room, and serves each
/// in a task. Runs on the loop's thread.
actor ConnectionAcceptor {
  private struct Listening {
    let listener: ControlListener
    var accepting: Task<Void, Never>?
  }

  private var listener: ControlListener
  private let services: ServerServices
  private let admission: RequestAdmission
  private let connections: OpenConnections
  private let viewers = ViewerStreams()
  nonisolated let loop: SocketLoop
  private var listenings: [SocketLoop.SocketID: Listening] = [:]
  /// The number of the last change of the loopback listeners.
  private var loopbackGeneration: UInt64 = 0
  private var stopping: Task<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.unownedExecutor }

  /// - Parameters:
  ///   - listener: The listener of the Unix domain socket.
  ///   - web: The access of browsers; nil if the server has no web page.
  init(
    _ listener: ControlListener, services: ServerServices, loop: SocketLoop, web: WebAccess?,
    wallClock: any WallClock
  ) {
    self.listener = listener
    self.services = services
    self.loop = loop
    admission = RequestAdmission(web: web, wallClock: wallClock)
    connections = OpenConnections(
      limit: services.options.connections, peerLimit: services.options.connectionsPerPeer)
  }

  func start() async throws(SystemError) {
    await services.hub.start()
    try await listen(listener)
  }

  func stop() async {
    let task = stopping ?? Task { await shutDown() }
    stopping = task
    await task.value
  }

  private func shutDown() async {
    connections.beginStopping()
    listener.removeFile()
    for id in Array(listenings.keys) { await stopListening(id) }
    connections.cancelHandlers()
    await services.stop()
    // From now on, a response is sent only as far as the kernel's buffer accepts it at once.
    await loop.stopWaiting()
    await connections.waitForEnd()
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

  /// Listens again if the file of the Unix domain socket is missing. Open connections stay. Blocks the loop for a few
  /// calls.
  /// - Returns: The address of the new socket; nil if the file is there.
  func renewSocket(libraryRoot: String) async throws(ControlError) -> ControlAddress? {
    guard !connections.isStopping, listener.isFileMissing else { return nil }
    let new = try listener.renewed(libraryRoot: libraryRoot)
    let old = listenings.first { $0.value.listener.kind == .unixSocket }?.key
    listener = new
    do throws(SystemError) {
      try await listen(new)
    } catch {
      throw ControlError(.socket, error.description)
    }
    if let old { await stopListening(old) }
    return new.address
  }

  /// Replaces the loopback listeners, and closes the connections of the old ones.
  /// - Parameter generation: The number of the change; a change with a lower number than the last one is
  ///   ignored.
  func replaceLoopback(_ new: LoopbackListeners, generation: UInt64) async {
    guard generation > loopbackGeneration, !connections.isStopping else { return }
    loopbackGeneration = generation
    admission.checks = new.checks
    for (id, listening) in listenings where listening.listener.kind == .loopback {
      await stopListening(id)
    }
    for id in connections.ids(from: .loopback) {
      connections.cancelHandler(of: id)
      await loop.close(id)
    }
    // A later change may have installed its own listeners while this one waited.
    for listener in new.listeners
    where generation == loopbackGeneration && !connections.isStopping {
      try? await listen(listener)
    }
  }

  /// Refuses the tokens of a session from now on.
  func endSession(_ id: String) { admission.checks?.endedSessions.insert(id) }

  // MARK: Accepting

  private func acceptAll(_ listening: SocketLoop.SocketID, _ listener: ControlListener) async {
    while !connections.isStopping {
      switch await loop.accept(listening) {
      case .socket(let socket): await admit(socket, listener)
      case .outOfDescriptors:
        if let closing = connections.removeClosable() {
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
    switch connections.makeRoom(for: peer) {
    case .admitted: break
    case .admittedAfter(let closing): await close(closing)
    case .refused(let limit, let isOfPeer):
      let owner = isOfPeer ? " of this process" : ""
      let text = "\(limit) connections\(owner) are active"
      return reject(socket, ControlError(.tooManyConnections, text), listener.kind)
    }
    if listener.kind == .loopback { imgdl_send_at_once(socket.raw) }
    let generation = loopbackGeneration
    guard let id = try? await loop.add(socket) else { return }
    // The listener was replaced while the socket was added, so this connection must be closed as well.
    guard listener.kind == .unixSocket || generation == loopbackGeneration else {
      return await loop.close(id)
    }
    let task = Task { await serve(id, from: listener.kind) }
    connections.add(id, of: peer, from: listener.kind, servedBy: task)
  }

  private func serve(_ id: SocketLoop.SocketID, from listener: ListenerKind) async {
    let client = ClientSocket(id: id, loop: loop, sendSeconds: services.options.sendSeconds)
    let connection = HTTPConnection(
      client: client, listener: listener, services: services, connections: connections,
      admission: admission, viewers: viewers)
    await connection.serve()
    await loop.close(id)
    connections.remove(id)
  }

  /// Refuses a connection, with an error response if the kernel's buffer has room for it.
  private nonisolated func reject(
    _ socket: OwnedDescriptor, _ error: ControlError, _ listener: ListenerKind
  ) {
    let response = ControlResponse.problem(ProblemMessage(error)).protected(from: listener)
    SocketLoop.sendOnce(socket, response.bytes(hasBody: true, keepsConnection: false))
  }

  /// Closes a connection to make room. A client that has sent a part of a request receives an error response.
  private func close(_ closing: OpenConnections.Table.Closing) async {
    var response: [UInt8] = []
    if closing.isIncomplete {
      let error = ControlError(
        .tooManyConnections, "the request was incomplete, and its connection was needed")
      response = ControlResponse.problem(ProblemMessage(error))
        .bytes(hasBody: true, keepsConnection: false)
    }
    await loop.close(closing.id, sending: response)
  }
}
