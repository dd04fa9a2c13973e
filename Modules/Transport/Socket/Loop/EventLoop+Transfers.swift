import Models
import SystemCalls
import Transport

/// Transfers from their start to their end, and who gets which connection.
extension EventLoop {
  func start(_ transfer: Transfer) {
    transfers[transfer.id] = transfer
    transfer.phase = .waiting
    // Through a tunnel the connection leads to the origin.
    let proxy = transfer.url.scheme == .http ? transfer.proxy : nil
    decide(
      .wanted(transfer.id, limit: transfer.connectionLimit, proxy: proxy),
      origin: transfer.url.origin)
  }

  func cancel(_ id: UInt64) {
    guard let transfer = transfers[id] else { return }
    fail(transfer, .cancelled, "cancelled")
  }

  /// Tells the pool what happened and does what it decides. What follows from that is done after
  /// it, not inside of it: a thousand waiting transfers that fail at once must not need a deep stack.
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
      if let transfer = transfers[id] { admit(transfer) }
    case .use(let connectionID, let id):
      guard let transfer = transfers[id] else { return }
      guard case .connection(let connection) = occupants[connectionID] else {
        // Its connection has ended since the pool decided.
        let event = ConnectionPool.Event.streamRefused(
          connectionID, id, at: Machine.monotonicNanoseconds)
        return decide(event, origin: transfer.url.origin)
      }
      use(connection, for: transfer)
    }
  }

  private func use(_ connection: Connection, for transfer: Transfer) {
    leaveQueue(transfer)
    guard transfer.allows(connection.address.ip) else {
      if connection.multiplexer == nil { close(connection) }
      fail(transfer, .addressRefused, refusal(connection.address.ip), slotOn: connection)
      return settle(connection)
    }
    if connection.multiplexer == nil {
      connection.origin = transfer.url.origin
      begin(transfer, on: connection)
    } else {
      begin(transfer, onStreamOf: connection)
    }
  }

  /// The transfer's own time begins.
  func leaveQueue(_ transfer: Transfer) {
    let now = Machine.monotonicNanoseconds
    if transfer.timings.queue == nil { transfer.timings.queue = transfer.elapsed(now) }
    if transfer.totalDeadline == Moment.never {
      transfer.totalDeadline = Moment.after(now, seconds: transfer.limits.totalTimeout)
    }
  }

  func refusal(_ address: IPAddress) -> String {
    "\(address) is not a public address, and the source may not lead there"
  }

  func fail(
    _ transfer: Transfer, _ code: TransportError.Code, _ detail: String,
    sinkError: SinkError? = nil, undelivered: Int = 0, slotOn connection: Connection? = nil
  ) {
    var delivered = -Int64(undelivered)
    switch transfer.phase {
    case .active(let connection): delivered += connection.exchange?.bytesDelivered ?? 0
    case .streaming(let stream): delivered += stream.exchange.bytesDelivered
    default: break
    }
    fail(
      transfer,
      TransportError(
        code, url: transfer.url, detail: detail, bytesDelivered: delivered, sinkError: sinkError),
      slotOn: connection)
  }

  /// Ends a transfer in whatever phase it is; its stream, or else its connection, is closed.
  /// - Parameter connection: the one that the pool gave it and that it has not begun to use.
  func fail(
    _ transfer: Transfer, _ error: TransportError, slotOn connection: Connection? = nil
  ) {
    let phase = transfer.phase
    let origin = transfer.url.origin
    transfers.removeValue(forKey: transfer.id)
    transfer.end(.failure(error))
    switch phase {
    case .queued, .over: break
    case .waiting:
      guard let connection else {
        decide(.abandoned(transfer.id), origin: origin)
        break
      }
      decide(
        connection.multiplexer == nil
          ? .ended : .streamEnded(connection.id, at: Machine.monotonicNanoseconds),
        origin: origin)
    case .unadmitted: decide(.attemptEnded, origin: origin)
    case .connecting(let attempt):
      remove(attempt)
      services.givePermitBack()
      decide(.attemptEnded, origin: origin)
    case .active(let connection):
      let wasMade = connection.phase == .active
      close(connection)
      decide(wasMade ? .ended : .attemptEnded, origin: origin)
    case .streaming(let stream):
      leave(stream)
      decide(
        .streamEnded(stream.connection.id, at: Machine.monotonicNanoseconds), origin: origin)
      settle(stream.connection)
    }
    feedStarving()
  }

  /// Puts a connection back after an exchange that left it clean.
  func release(_ connection: Connection) {
    let now = Machine.monotonicNanoseconds
    connection.transfer = nil
    connection.exchange = nil
    connection.served += 1
    connection.phase = .idle
    connection.phaseDeadline = Moment.after(now, seconds: options.idleSeconds)
    if connection.served == 1, let ticket = connection.tls?.ticket {
      tickets.keep(ticket, for: connection.origin)
    }
    decide(.released(connection.id, at: now), origin: connection.origin)
    guard connection.phase == .idle else { return }
    arm(connection)
    if pool.idleCount > options.idleConnections || !starving.isEmpty || services.isPermitWanted {
      closeOldestIdle()
    }
  }

  /// Takes a connection out of the loop. The pool is told by the caller, who knows what it was for.
  func close(_ connection: Connection) {
    if let ticket = connection.tls?.ticket { tickets.keep(ticket, for: connection.origin) }
    occupants.removeValue(forKey: connection.id)
    connection.transfer = nil
    connection.exchange = nil
    connection.close()
    services.givePermitBack()
  }

  @discardableResult
  func closeOldestIdle() -> Bool {
    guard let id = pool.oldestIdle(), case .connection(let connection) = occupants[id]
    else { return false }
    let isShared = connection.multiplexer != nil
    close(connection)
    decide(isShared ? .retired(id) : .idleEnded(id), origin: connection.origin)
    feedStarving()
    return true
  }

  /// Makes sure that the loop looks at the connection when its next deadline has come.
  func arm(_ connection: Connection) {
    let next = connection.nextDeadline
    guard next < connection.armed else { return }
    connection.armed = next
    deadlines.add(DeadlineQueue.Entry(time: next, id: connection.id))
  }

  func passDeadline(_ connection: Connection, _ now: UInt64) {
    defer { if occupants[connection.id] != nil { arm(connection) } }
    guard connection.nextDeadline <= now else { return }
    guard let transfer = connection.transfer else {
      let isShared = connection.multiplexer != nil
      close(connection)
      return decide(
        isShared ? .retired(connection.id) : .idleEnded(connection.id), origin: connection.origin)
    }
    // It is we who do not read.
    if connection.isThrottled, transfer.totalDeadline > now {
      connection.speed.restart(at: now)
      return connection.lastActivity = now
    }
    if connection.exchange?.isDraining == true {
      return act(on: connection, connection.exchange?.handle(.drainedTooLong))
    }
    if transfer.totalDeadline <= now {
      return fail(transfer, .totalTimeout, tooSlow(transfer))
    }
    guard connection.phase == .active else {
      return fail(
        transfer, .connectTimeout,
        "no TLS connection to \(transfer.url.origin)\(way(transfer)) in \(transfer.limits.connectTimeout) s"
      )
    }
    if connection.speed.isTooSlow(at: now) {
      return fail(transfer, .lowSpeed, slow(transfer))
    }
    // The deadline may have been that of a window that was fast enough.
    guard connection.nextDeadline <= now else { return }
    fail(transfer, .idleTimeout, silent(transfer))
  }

  func slow(_ transfer: Transfer) -> String {
    SpeedWatch.reason(transfer.url, transfer.limits)
  }

  func silent(_ transfer: Transfer) -> String {
    "nothing came from \(transfer.url.origin) for \(transfer.limits.idleTimeout) s"
  }

  func tooSlow(_ transfer: Transfer) -> String {
    "not finished in \(transfer.limits.totalTimeout) s"
  }
}
