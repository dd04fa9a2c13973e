import Models
import SystemCalls
import Transport

/// Decides which transfer of one event loop uses which connection. Owns the connection pool, and
/// the transfers from start to end. Confined to that loop.
///
/// The dialer and the connections do not call the dispatcher: they return the outcome of a step, on
/// which the dispatcher acts afterwards. Therefore none of them is re-entered during a call.
final class TransferDispatcher {
  let options: SocketOptions
  private let services: LoopServices
  private let mailbox: LoopMailbox
  let registry: Registry
  let reader: SocketReader
  let flushQueue: HTTP2FlushQueue
  let dialer: Dialer
  private var transfers: [UInt64: Transfer] = [:]
  private var pool: ConnectionPool
  /// The pool's actions that have not been performed yet.
  private var poolActions: [ConnectionPool.Action] = []
  private var isStopping = false

  init(
    _ options: SocketOptions, _ services: LoopServices, _ mailbox: LoopMailbox,
    _ registry: Registry, _ reader: SocketReader, _ flushQueue: HTTP2FlushQueue, _ dialer: Dialer
  ) {
    self.options = options
    self.services = services
    self.mailbox = mailbox
    self.registry = registry
    self.reader = reader
    self.flushQueue = flushQueue
    self.dialer = dialer
    pool = ConnectionPool(options.http2)
  }

  // MARK: - Commands

  func start(_ transfer: Transfer) {
    transfers[transfer.id] = transfer
    transfer.enter(.waiting)
    // Only connections over which the proxy forwards requests belong to it; a tunnel leads to one
    // origin.
    let proxy = transfer.isForwarded ? transfer.proxy : nil
    decide(
      .wanted(transfer.id, limit: transfer.connectionLimit, proxy: proxy),
      origin: transfer.url.origin)
  }

  func cancel(_ id: UInt64) {
    guard let transfer = transfers[id] else { return }
    let delivered: Int64 =
      switch transfer.phase {
      case .exchanging(let connection): connection.bytesDelivered
      case .streaming(let stream): stream.bytesDelivered
      default: 0
      }
    fail(transfer, transfer.error(.cancelled, "cancelled", delivered: delivered))
  }

  /// Starts the next connection attempt that waits for a permit, after this loop has received one.
  func admitNext() {
    if let attempt = dialer.nextAdmitted() { startDialing(attempt) }
  }

  /// Closes the connection that has been idle longest.
  /// - Returns: false if no connection is idle.
  @discardableResult
  func closeOldestIdle() -> Bool {
    guard let token = pool.oldestIdle(), let registration = registry[token] else { return false }
    switch registration {
    case .http1(let connection): closeIdle(connection)
    case .http2(let connection): closeIdle(connection)
    case .attempt, .candidate, .handshake, .stream: return false
    }
    return true
  }

  /// Ends all transfers and connections.
  func stop() {
    isStopping = true
    for transfer in Array(transfers.values) { fail(transfer, transfer.stopped) }
    for registration in registry.removeAll() {
      switch registration {
      case .http1(let connection): close(connection)
      case .http2(let connection): close(connection)
      case .attempt, .candidate, .handshake, .stream: break
      }
    }
  }

  // MARK: - The pool

  /// Passes an event to the pool and performs the resulting actions. The actions of an event that
  /// an action causes follow afterwards instead of recursively, because a thousand waiting
  /// transfers that fail at once must not need a deep stack.
  func decide(_ event: ConnectionPool.Event, origin: HTTPURL.Origin) {
    if isStopping { return }
    let isNested = !poolActions.isEmpty
    pool.handle(event, origin: origin, into: &poolActions)
    if isNested { return }
    var next = 0
    while next < poolActions.count {
      perform(poolActions[next])
      next += 1
    }
    poolActions.removeAll(keepingCapacity: true)
  }

  private func perform(_ action: ConnectionPool.Action) {
    switch action {
    case .connect(let id):
      if let transfer = transfers[id] { connect(transfer) }
    case .use(let token, let id):
      guard let transfer = transfers[id] else { return }
      switch registry[token] {
      case .http1(let connection): use(connection, for: transfer)
      case .http2(let connection): use(connection, for: transfer)
      default:
        // The connection was closed after the pool had decided. The pool forgets the connection before it
        // decides again, otherwise it might choose the same one.
        decide(.retired(token), origin: transfer.url.origin)
        let now = Machine.monotonicNanoseconds
        decide(.streamRefused(token, id, at: now), origin: transfer.url.origin)
      }
    case .retire(let token):
      guard case .http2(let connection) = registry[token] else { return }
      connection.retire()
      closeOrKeepIdle(connection)
    }
  }

  private func use(_ connection: HTTP1Connection, for transfer: Transfer) {
    transfer.leaveQueue()
    guard transfer.allows(connection.socket.address.ip) else {
      close(connection)
      removeAndFail(transfer, transfer.refusal(of: connection.socket.address.ip))
      decide(.ended, origin: transfer.url.origin)
      return retryWaiting()
    }
    startExchange(of: transfer, on: connection)
  }

  /// Closes the oldest idle connection if too many connections are idle, or if a connection attempt
  /// needs a permit or a descriptor.
  func limitIdle() {
    if pool.idleCount > options.idleConnections || dialer.isWaitingForDescriptor
      || services.isPermitWanted
    {
      closeOldestIdle()
    }
  }

  // MARK: - Dialing

  private func connect(_ transfer: Transfer) {
    let attempt = dialer.makeAttempt(for: transfer)
    transfer.enter(.dialing(attempt))
    if dialer.admit(attempt) { return startDialing(attempt) }
    // A wanted connection has precedence over an idle one.
    if !closeOldestIdle() { services.requestIdleClosure(mailbox) }
  }

  private func startDialing(_ attempt: ConnectionAttempt) {
    attempt.transfer.leaveQueue()
    handleDialing(dialer.connect(attempt))
  }

  /// Acts on the outcome of a step of a connection attempt.
  func handleDialing(_ outcome: Dialer.Outcome?) {
    switch outcome {
    case nil: break
    case .connected(let transfer, let socket, .http1): openHTTP1(socket, for: transfer)
    case .connected(let transfer, let socket, .http2): openHTTP2(socket, for: transfer)
    case .failed(let transfer, let error): fail(transfer, error)
    case .descriptorWanted:
      // An attempt that needs a descriptor has precedence over an idle connection.
      if !closeOldestIdle() { services.requestIdleClosure(mailbox) }
    }
  }

  private func openHTTP1(_ socket: ConnectedSocket, for transfer: Transfer) {
    let connection = HTTP1Connection(
      socket, to: transfer.url.origin, registry, reader, limits: options.headLimits)
    registry[socket.token] = .http1(connection)
    startExchange(of: transfer, on: connection)
    decide(.connected, origin: transfer.url.origin)
  }

  /// Retries an attempt that waits for a descriptor, since a descriptor may have become free.
  func retryWaiting() {
    if !isStopping { handleDialing(dialer.retryWaiting()) }
  }

  // MARK: - HTTP/1.1

  private func startExchange(of transfer: Transfer, on connection: HTTP1Connection) {
    transfer.enter(.exchanging(connection))
    handleHTTP1Event(connection.startExchange(for: transfer), of: connection)
  }

  /// Acts on the outcome of a step of an HTTP/1.1 connection.
  func handleHTTP1Event(_ event: HTTP1Connection.Event?, of connection: HTTP1Connection) {
    switch event {
    case nil: break
    case .finished(let transfer, let outcome, let head, let isReusable):
      removeAndComplete(transfer, outcome, head)
      if isReusable { return returnToPool(connection) }
      close(connection)
      decide(.ended, origin: connection.origin)
      retryWaiting()
    case .failed(let transfer, let error): fail(transfer, error)
    case .retry(let transfer):
      close(connection)
      transfer.forgetResponse()
      transfer.enter(.waiting)
      decide(.reconnectNeeded(transfer.id), origin: transfer.url.origin)
    case .idleEnded: closeIdle(connection)
    }
  }

  /// Returns a connection to the pool after an exchange that left it reusable.
  private func returnToPool(_ connection: HTTP1Connection) {
    let now = Machine.monotonicNanoseconds
    connection.becomeIdle(until: Moment.after(now, seconds: options.idleSeconds))
    if connection.served == 1 {
      dialer.keepTicket(of: connection.socket, for: connection.origin)
    }
    decide(.released(connection.token, at: now), origin: connection.origin)
    guard connection.isIdle else { return }
    registry.arm(connection)
    limitIdle()
  }

  /// Closes a connection. The caller reports the closure to the pool, because only the caller knows
  /// whether the connection was idle or in use.
  private func close(_ connection: HTTP1Connection) {
    connection.abandon()
    dialer.close(connection.socket, to: connection.origin)
  }

  private func closeIdle(_ connection: HTTP1Connection) {
    close(connection)
    decide(.idleEnded(connection.token), origin: connection.origin)
    retryWaiting()
  }

  // MARK: - The end of transfers

  /// The number of requests that an origin has answered over HTTP/2.
  func answers(_ origin: HTTPURL.Origin) -> Int { pool.answers(origin) }

  /// The sum of an origin's active transfers and its idle HTTP/1.1 connections; for tests.
  func occupancy(_ origin: HTTPURL.Origin) -> Int { pool.occupancy(origin) }

  func removeAndComplete(
    _ transfer: Transfer, _ outcome: Exchange.Outcome, _ head: ResponseHead
  ) {
    transfers.removeValue(forKey: transfer.id)
    transfer.complete(outcome, head)
  }

  func removeAndFail(_ transfer: Transfer, _ error: TransportError) {
    transfers.removeValue(forKey: transfer.id)
    transfer.complete(.failure(error))
  }

  /// Returns the address of a connection on which nothing has been answered yet, if the failure may be due to the
  /// server at this address: the next attempt uses another address of the host, if there is one.
  private func unansweredAddress(
    of transfer: Transfer, _ error: TransportError
  ) -> IPAddress? {
    switch error.code {
    case .connectTimeout, .idleTimeout, .totalTimeout, .connectionLost, .tls, .protocolViolation:
      break
    default: return nil
    }
    switch transfer.phase {
    case .queued, .waiting, .over: return nil
    case .dialing(let attempt): return attempt.handshake?.socket.address.ip
    case .exchanging(let connection):
      return connection.served == 0 && transfer.timings.firstByte == nil
        ? connection.socket.address.ip : nil
    case .streaming(let stream):
      return stream.connection.answered == 0 ? stream.connection.socket.address.ip : nil
    }
  }

  /// Fails a transfer in any phase, and ends its connection attempt, its connection or its stream.
  func fail(_ transfer: Transfer, _ error: TransportError) {
    let phase = transfer.phase
    let origin = transfer.url.origin
    if let address = unansweredAddress(of: transfer, error) {
      dialer.suspect(address, for: transfer)
    }
    removeAndFail(transfer, error)
    switch phase {
    case .queued, .over: break
    case .waiting: decide(.abandoned(transfer.id), origin: origin)
    case .dialing(let attempt):
      dialer.cancel(attempt)
      decide(.attemptEnded, origin: origin)
    case .exchanging(let connection):
      close(connection)
      decide(.ended, origin: origin)
    case .streaming(let stream):
      let connection = stream.connection
      connection.remove(stream)
      decide(.streamEnded(connection.token, at: Machine.monotonicNanoseconds), origin: origin)
      closeOrKeepIdle(connection)
    }
    retryWaiting()
  }
}
