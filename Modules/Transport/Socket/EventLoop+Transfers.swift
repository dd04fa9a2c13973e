import Models
import SystemCalls
import Transport

/// Transfers from their start to their end, and who gets which connection.
extension EventLoop {
  func start(_ transfer: Transfer) {
    transfers[transfer.id] = transfer
    transfer.phase = .waiting
    decide(
      .wanted(transfer.id, limit: transfer.connectionLimit), origin: transfer.url.origin)
  }

  func cancel(_ id: UInt64) {
    guard let transfer = transfers[id] else { return }
    fail(transfer, .cancelled, "cancelled")
  }

  /// Tells the pool what happened and does what it decides. What follows from that is done after
  /// it, not inside of it: a thousand waiting transfers that fail at once must not need a deep stack.
  func decide(_ event: ConnectionPool.Event, origin: HTTPURL.Origin) {
    let action = pool.handle(event, origin: origin)
    if action == .none || isStopping { return }
    poolActions.append(action)
    guard poolActions.count == 1 else { return }
    var next = 0
    while next < poolActions.count {
      perform(poolActions[next])
      next += 1
    }
    poolActions.removeAll(keepingCapacity: true)
  }

  private func perform(_ action: ConnectionPool.Action) {
    switch action {
    case .none: break
    case .connect(let id):
      if let transfer = transfers[id] { connect(transfer) }
    case .use(let connectionID, let id):
      guard let transfer = transfers[id], case .connection(let connection) = occupants[connectionID]
      else { return }
      use(connection, for: transfer)
    }
  }

  private func use(_ connection: Connection, for transfer: Transfer) {
    leaveQueue(transfer)
    guard transfer.addresses.allows(connection.address.ip) else {
      close(connection)
      return fail(transfer, .addressRefused, refusal(connection.address), slotIsHeld: true)
    }
    begin(transfer, on: connection)
  }

  /// The transfer's own time begins.
  func leaveQueue(_ transfer: Transfer) {
    let now = Machine.monotonicNanoseconds
    if transfer.timings.queue == nil { transfer.timings.queue = transfer.elapsed(now) }
    if transfer.totalDeadline == Moment.never {
      transfer.totalDeadline = Moment.after(now, seconds: transfer.limits.totalTimeout)
    }
  }

  func refusal(_ address: SocketAddress) -> String {
    "\(address.ip) is not a public address, and the source may not lead there"
  }

  func fail(
    _ transfer: Transfer, _ code: TransportError.Code, _ detail: String,
    sinkError: SinkError? = nil, undelivered: Int = 0, slotIsHeld: Bool = false
  ) {
    var delivered: Int64 = 0
    if case .active(let connection) = transfer.phase {
      delivered = (connection.exchange?.bytesDelivered ?? 0) - Int64(undelivered)
    }
    fail(
      transfer,
      TransportError(
        code, url: transfer.url, detail: detail, bytesDelivered: delivered, sinkError: sinkError),
      slotIsHeld: slotIsHeld)
  }

  /// Ends a transfer in whatever phase it is; its connection, if any, is closed.
  /// - Parameter slotIsHeld: the pool counts a connection for it, although there is none.
  func fail(_ transfer: Transfer, _ error: TransportError, slotIsHeld: Bool = false) {
    let phase = transfer.phase
    transfers.removeValue(forKey: transfer.id)
    transfer.end(.failure(error))
    var hasSlot = slotIsHeld
    switch phase {
    case .queued, .over: break
    case .waiting:
      if !slotIsHeld { decide(.abandoned(transfer.id), origin: transfer.url.origin) }
    case .connecting(let attempt):
      remove(attempt)
      hasSlot = true
    case .active(let connection):
      close(connection)
      hasSlot = true
    }
    if hasSlot { decide(.ended, origin: transfer.url.origin) }
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
    if pool.idleCount > options.idleConnections || !starving.isEmpty { closeOldestIdle() }
  }

  /// Takes a connection out of the loop. The pool is told by the caller, who knows what it was for.
  func close(_ connection: Connection) {
    if let ticket = connection.tls?.ticket { tickets.keep(ticket, for: connection.origin) }
    occupants.removeValue(forKey: connection.id)
    connection.transfer = nil
    connection.exchange = nil
    connection.close()
  }

  @discardableResult
  func closeOldestIdle() -> Bool {
    guard let (id, origin) = pool.oldestIdle(), case .connection(let connection) = occupants[id]
    else { return false }
    close(connection)
    decide(.idleEnded(id), origin: origin)
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
      close(connection)
      return decide(.idleEnded(connection.id), origin: connection.origin)
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
        "no TLS connection to \(transfer.url.origin) in \(transfer.limits.connectTimeout) s")
    }
    fail(
      transfer, .idleTimeout,
      "nothing came from \(transfer.url.origin) for \(transfer.limits.idleTimeout) s")
  }

  func tooSlow(_ transfer: Transfer) -> String {
    "not finished in \(transfer.limits.totalTimeout) s"
  }
}
