import HTTP1
import Models
import SystemCalls
import Threading
import Transport

/// Requests out, responses in.
extension EventLoop {
  /// Reads of one connection in a row, before the others have their turn.
  static var readsInARow: Int { 16 }

  func begin(_ transfer: Transfer, on connection: Connection) {
    transfer.phase = .active(connection)
    connection.transfer = transfer
    connection.phase = .active
    connection.phaseDeadline = Moment.never
    connection.sent = 0
    connection.speed = SpeedWatch(transfer.limits)
    connection.exchange = Exchange(
      isReused: connection.served > 0, maximumBodyBytes: transfer.limits.maxBodyBytes,
      limits: options.headLimits)
    send(connection)
  }

  func ready(_ connection: Connection, _ readiness: Poller.Readiness) {
    if let multiplexer = connection.multiplexer {
      return ready(connection, multiplexer, readiness)
    }
    switch connection.phase {
    case .tunnelling: advanceTunnel(connection)
    case .handshaking: shakeHands(connection)
    case .idle:
      guard !connection.isStillGood(buffer) else { return }
      close(connection)
      decide(.idleEnded(connection.id), origin: connection.origin)
      feedStarving()
    case .active:
      guard let transfer = connection.transfer else { return }
      if readiness.contains(.output), connection.sent < transfer.request.count {
        send(connection)
        // The exchange may be over, or the connection serve another one.
        guard connection.transfer === transfer else { return }
      }
      if readiness != .output { receive(connection) }
    }
  }

  private func send(_ connection: Connection) {
    guard let transfer = connection.transfer else { return }
    while connection.sent < transfer.request.count {
      let result = transfer.request.withUnsafeBytes {
        connection.write(UnsafeRawBufferPointer(rebasing: $0[connection.sent...]))
      }
      switch result {
      case .bytes(let count): connection.sent += count
      case .wouldBlock(let forOutput):
        watch(connection, forOutput ? [.input, .output] : .input)
        connection.lastActivity = Machine.monotonicNanoseconds
        return arm(connection)
      case .ended(let isClean):
        return act(on: connection, connection.exchange?.handle(.inputEnded(isClean: isClean)))
      case .failed(let reason):
        return act(on: connection, connection.exchange?.handle(.broken(reason)))
      }
    }
    let now = Machine.monotonicNanoseconds
    transfer.timings.request = transfer.elapsed(now)
    connection.lastActivity = now
    watch(connection, .input)
    arm(connection)
  }

  private func receive(_ connection: Connection) {
    guard let transfer = connection.transfer else { return }
    for _ in 0..<Self.readsInARow {
      let kept = connection.unread.count
      if kept > 0 { buffer.copyBytes(from: connection.unread) }
      switch read(connection, after: kept) {
      case nil: return
      case .bytes(let count):
        let now = Machine.monotonicNanoseconds
        connection.lastActivity = now
        let isFirst = connection.speed.receive(Int64(count), at: now)
        if transfer.timings.firstByte == nil { transfer.timings.firstByte = transfer.elapsed(now) }
        take(connection, kept + count)
        guard connection.transfer === transfer else { return }
        // The time that the sink takes is not the server's.
        connection.lastActivity = Machine.monotonicNanoseconds
        connection.speed.exclude(connection.lastActivity &- now)
        if isFirst { arm(connection) }
      case .wouldBlock: return
      case .ended(let isClean):
        return act(on: connection, connection.exchange?.handle(.inputEnded(isClean: isClean)))
      case .failed(let reason):
        return act(on: connection, connection.exchange?.handle(.broken(reason)))
      }
      // Plain input that is left makes the poller report again; TLS may hold some that it cannot see.
      guard connection.tls != nil else { return }
    }
    backlog.append(connection)
  }

  func readBacklog() {
    guard !backlog.isEmpty else { return }
    let connections = backlog
    backlog = []
    for connection in connections {
      if let multiplexer = connection.multiplexer {
        receive(connection, multiplexer)
      } else if connection.phase == .active {
        receive(connection)
      }
    }
  }

  /// Passes the first `count` bytes of the buffer through the exchange.
  private func take(_ connection: Connection, _ count: Int) {
    guard let transfer = connection.transfer else { return }
    var start = 0
    while true {
      let rest = UnsafeRawBufferPointer(rebasing: buffer[start..<count])
      guard let (consumed, action) = connection.exchange?.read(rest.bytes) else { return }
      start += consumed
      switch action {
      case .proceed: break
      case .deliver(let range):
        do throws(SinkError) {
          try transfer.sink.receive(rest.bytes.extracting(range))
        } catch {
          return fail(
            transfer, .sink, error.description, sinkError: error, undelivered: range.count)
        }
      case .begin:
        guard offerHead(connection, transfer) else { return }
      case .wait:
        connection.unread = start < count ? Array(buffer[start..<count]) : []
        if connection.exchange?.isDraining == true { limitDrain(connection) }
        return
      case .finish, .fail, .retry:
        return act(on: connection, action, hasInputLeft: start < count)
      }
    }
  }

  /// Shows the head to the sink; false if the exchange is over by that.
  private func offerHead(_ connection: Connection, _ transfer: Transfer) -> Bool {
    // Inside of a tunnel it would be the origin that speaks.
    if let proxy = transfer.proxy, connection.tls == nil, connection.exchange?.head?.status == 407 {
      fail(transfer, .proxy, proxy.wantsCredentials)
      return false
    }
    let decision: BodyDecision
    do throws(SinkError) {
      decision = try transfer.sink.begin(head(connection, transfer))
    } catch {
      fail(transfer, .sink, error.description, sinkError: error)
      return false
    }
    let action = connection.exchange?.handle(.sinkDecided(decision)) ?? .wait
    if action == .proceed { return true }
    act(on: connection, action, hasInputLeft: true)
    return false
  }

  private func head(_ connection: Connection, _ transfer: Transfer) -> ResponseHead {
    let message = connection.exchange?.head
    return ResponseHead(
      status: message?.status ?? 0, url: transfer.url, fields: message?.fields ?? HTTPFields(),
      remoteAddress: transfer.proxy == nil ? connection.addressText : nil)
  }

  private func limitDrain(_ connection: Connection) {
    guard connection.phaseDeadline == Moment.never else { return }
    connection.phaseDeadline = Machine.monotonicNanoseconds &+ Exchange.drainTime
    arm(connection)
  }

  /// Does what ends an exchange; other actions need nothing here.
  func act(on connection: Connection, _ action: Exchange.Action?, hasInputLeft: Bool = false) {
    guard let transfer = connection.transfer, let action else { return }
    switch action {
    case .wait, .proceed, .begin, .deliver: break
    case .fail(let code, let detail):
      let escaped = TransportError.escaped(detail, limit: 300)
      fail(transfer, code, "\(transfer.url.origin): \(escaped)")
    case .retry:
      close(connection)
      transfer.phase = .waiting
      decide(.renewed(transfer.id), origin: transfer.url.origin)
    case .finish(let outcome, let keepsConnection):
      finish(
        transfer, connection, outcome, isReusable: keepsConnection && !hasInputLeft)
    }
  }

  private func finish(
    _ transfer: Transfer, _ connection: Connection, _ outcome: Exchange.Outcome, isReusable: Bool
  ) {
    transfer.timings.lastByte = transfer.elapsed()
    let head = head(connection, transfer)
    transfers.removeValue(forKey: transfer.id)
    transfer.end(outcome, head)
    connection.unread = []
    if isReusable { return release(connection) }
    close(connection)
    decide(.ended, origin: connection.origin)
    feedStarving()
  }
}
