import Models
import SystemCalls
import Transport

/// Decides which transfer of one event loop uses which connection. Owns the connection pool, and
/// the transfers from start to end. Confined to that loop.
///
/// The dialer and the connections do not call the dispatcher: they return the outcome of a step, on
/// which the dispatcher acts afterwards. Therefore none of them is re-entered during a call.
final class TransferDispatcher {
  /// The maximum number of refusals by HTTP/2 servers after which a request is still sent again.
  private static let maximumRefusals = 3

  private let options: SocketOptions
  private let services: LoopServices
  private let mailbox: LoopMailbox
  private let registry: Registry
  private let reader: SocketReader
  private let flushQueue: HTTP2FlushQueue
  private let dialer: Dialer
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
  private func decide(_ event: ConnectionPool.Event, origin: HTTPURL.Origin) {
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
        // The connection was closed after the pool had decided.
        let now = Machine.monotonicNanoseconds
        decide(.streamRefused(token, id, at: now), origin: transfer.url.origin)
      }
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

  private func use(_ connection: HTTP2Connection, for transfer: Transfer) {
    transfer.leaveQueue()
    guard transfer.allows(connection.socket.address.ip) else {
      removeAndFail(transfer, transfer.refusal(of: connection.socket.address.ip))
      let now = Machine.monotonicNanoseconds
      decide(.streamEnded(connection.token, at: now), origin: transfer.url.origin)
      retryWaiting()
      return closeOrKeepIdle(connection)
    }
    startStream(of: transfer, on: connection)
  }

  /// Closes the oldest idle connection if too many connections are idle, or if a connection attempt
  /// needs a permit or a descriptor.
  private func limitIdle() {
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

  private func openHTTP2(_ socket: ConnectedSocket, for transfer: Transfer) {
    let origin = transfer.url.origin
    let connection: HTTP2Connection
    do throws(HTTP2Failure) {
      connection = try HTTP2Connection(
        socket, to: origin, registry, reader, flushQueue, limits: options.http2Limits)
    } catch {
      removeAndFail(transfer, transfer.error(.system, error.reason))
      dialer.close(socket, to: origin)
      decide(.attemptEnded, origin: origin)
      return retryWaiting()
    }
    registry[socket.token] = .http2(connection)
    decide(.opened(socket.token, streams: connection.initialStreams), origin: origin)
    startStream(of: transfer, on: connection)
  }

  /// Retries an attempt that waits for a descriptor, since a descriptor may have become free.
  private func retryWaiting() {
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
      transfers.removeValue(forKey: transfer.id)
      transfer.complete(outcome, head)
      if isReusable { return returnToPool(connection) }
      close(connection)
      decide(.ended, origin: connection.origin)
      retryWaiting()
    case .failed(let transfer, let error): fail(transfer, error)
    case .retry(let transfer):
      close(connection)
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

  // MARK: - HTTP/2

  private func startStream(of transfer: Transfer, on connection: HTTP2Connection) {
    if let stream = connection.startStream(for: transfer) {
      return transfer.enter(.streaming(stream))
    }
    if connection.retire() { decide(.retired(connection.token), origin: connection.origin) }
    requeue(transfer, connection)
  }

  /// Acts on the outcomes of a step of an HTTP/2 connection, in their order.
  /// - Parameter events: The outcomes. The array is emptied, but keeps its storage.
  func handleHTTP2Events(_ events: inout [HTTP2Connection.Event], of connection: HTTP2Connection) {
    guard !events.isEmpty else { return }
    for event in events {
      switch event {
      case .resized(let streams):
        decide(.streamLimitChanged(connection.token, streams: streams), origin: connection.origin)
      case .retired:
        decide(.retired(connection.token), origin: connection.origin)
        closeOrKeepIdle(connection)
      case .ended(let stream, let outcome): handleStreamOutcome(outcome, of: stream)
      }
    }
    events.removeAll(keepingCapacity: true)
  }

  private func handleStreamOutcome(_ outcome: HTTP2Stream.Outcome, of stream: HTTP2Stream) {
    let transfer = stream.transfer
    let connection = stream.connection
    switch outcome {
    case .finished(let outcome):
      transfers.removeValue(forKey: transfer.id)
      transfer.complete(outcome, stream.head)
      connection.remove(stream)
      let now = Machine.monotonicNanoseconds
      decide(.streamEnded(connection.token, at: now), origin: connection.origin)
      closeOrKeepIdle(connection)
    case .failed(let error): fail(transfer, error)
    case .refused: retry(transfer, of: stream)
    case .wantsHTTP1:
      dialer.useHTTP1(for: connection.origin)
      decide(.http1Required, origin: connection.origin)
      retry(transfer, of: stream)
    }
  }

  /// Queues the transfer of a request again that an HTTP/2 server has refused without processing
  /// it.
  private func retry(_ transfer: Transfer, of stream: HTTP2Stream) {
    transfer.countRefusedStream()
    guard transfer.refusedStreams <= Self.maximumRefusals else {
      return fail(
        transfer,
        transfer.error(
          .connectionLost,
          "\(transfer.url.origin): the server refused the request \(transfer.refusedStreams) times"
        ))
    }
    stream.connection.remove(stream)
    requeue(transfer, stream.connection)
  }

  /// Queues a transfer in front of all transfers that wait for a connection to its origin.
  private func requeue(_ transfer: Transfer, _ connection: HTTP2Connection) {
    transfer.enter(.waiting)
    let now = Machine.monotonicNanoseconds
    decide(
      .streamRefused(connection.token, transfer.id, at: now), origin: transfer.url.origin)
    closeOrKeepIdle(connection)
  }

  /// Closes a connection without streams if it is retired; otherwise keeps it idle.
  private func closeOrKeepIdle(_ connection: HTTP2Connection) {
    guard connection.isUnused, !connection.isClosed else { return }
    if connection.isRetired {
      close(connection)
      return retryWaiting()
    }
    connection.becomeIdle(
      until: Moment.after(Machine.monotonicNanoseconds, seconds: options.idleSeconds))
    limitIdle()
  }

  private func close(_ connection: HTTP2Connection) {
    connection.sendGoAway()
    dialer.close(connection.socket, to: connection.origin)
  }

  /// Closes an idle connection.
  func closeIdle(_ connection: HTTP2Connection) {
    close(connection)
    decide(.retired(connection.token), origin: connection.origin)
    retryWaiting()
  }

  // MARK: - The end of transfers

  private func removeAndFail(_ transfer: Transfer, _ error: TransportError) {
    transfers.removeValue(forKey: transfer.id)
    transfer.complete(.failure(error))
  }

  /// Fails a transfer in any phase, and ends its connection attempt, its connection or its stream.
  private func fail(_ transfer: Transfer, _ error: TransportError) {
    let phase = transfer.phase
    let origin = transfer.url.origin
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
