import Models
import SystemCalls
import Threading
import Transport

/// Transfers on streams: what "EventLoop+Exchanges" is to connections of HTTP/1.1.
extension EventLoop {
  /// Until the server has said how many streams it takes (RFC 9113 §6.5.2).
  private static var assumedStreams: Int { 100 }
  /// A request that so many servers or connections did not take up is given up.
  private static var maximumRefusals: Int { 3 }

  /// The connection that the transfer made speaks HTTP/2.
  func openMultiplexed(_ transfer: Transfer, on connection: Connection) {
    do throws(HTTP2Failure) {
      connection.multiplexer = Multiplexer(try HTTP2Session(limits: options.http2Limits))
    } catch {
      return fail(transfer, .system, error.reason)
    }
    connection.transfer = nil
    connection.phaseDeadline = Moment.never
    let streams = min(Self.assumedStreams, options.http2Limits.streams)
    decide(.opened(connection.id, streams: streams), origin: connection.origin)
    begin(transfer, onStreamOf: connection)
    // The server's settings may have come with the end of the handshake, where no poller sees them.
    if connection.tls != nil { backlog.append(connection) }
  }

  func begin(_ transfer: Transfer, onStreamOf connection: Connection) {
    guard let multiplexer = connection.multiplexer else { return }
    let fields = HTTP2Fields.request(
      scheme: transfer.url.scheme.rawValue, authority: transfer.url.origin.authority,
      target: transfer.url.target, transfer.fields)
    guard !multiplexer.isRetired, let number = multiplexer.session.open(fields) else {
      retire(connection, multiplexer)
      return again(transfer, connection)
    }
    let now = Machine.monotonicNanoseconds
    let stream = Stream(
      id: makeToken(), number: number, connection: connection, transfer: transfer,
      exchange: HTTP2Exchange(
        isReused: connection.served > 0, maximumBodyBytes: transfer.limits.maxBodyBytes),
      now: now)
    multiplexer.streams[number] = stream
    occupants[stream.id] = .stream(stream)
    transfer.phase = .streaming(stream)
    transfer.timings.request = transfer.elapsed(now)
    connection.phase = .active
    connection.phaseDeadline = Moment.never
    arm(stream)
    willFlush(connection, multiplexer)
  }

  func ready(_ connection: Connection, _ multiplexer: Multiplexer, _ readiness: Poller.Readiness) {
    if readiness.contains(.output) || multiplexer.sent < multiplexer.output.count {
      flush(connection, multiplexer)
    }
    if readiness != .output { receive(connection, multiplexer) }
  }

  func receive(_ connection: Connection, _ multiplexer: Multiplexer) {
    for _ in 0..<Self.readsInARow {
      guard occupants[connection.id] != nil else { return }
      switch read(connection) {
      case nil: return
      case .bytes(let count):
        connection.lastActivity = Machine.monotonicNanoseconds
        let input = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        multiplexer.session.receive(input)
        follow(connection, multiplexer, input)
      case .wouldBlock: return
      case .ended(let isClean):
        let how = isClean ? "" : " without the end of TLS"
        let reason = "the server closed the connection" + how
        return breakOff(connection, multiplexer, HTTP2Failure(.ended, reason))
      case .failed(let reason):
        return breakOff(connection, multiplexer, HTTP2Failure(.ended, reason))
      }
      // Plain input that is left makes the poller report again; TLS may hold some that it cannot see.
      guard connection.tls != nil else { return }
    }
    backlog.append(connection)
  }

  /// Does what the session has come to.
  /// - Parameter input: what it has just read.
  private func follow(
    _ connection: Connection, _ multiplexer: Multiplexer, _ input: UnsafeRawBufferPointer?
  ) {
    let session = multiplexer.session
    for event in session.takeEvents() {
      switch event {
      case .head(let number, let status, let fields):
        guard let stream = multiplexer.streams[number] else { continue }
        stream.transfer.timings.firstByte = stream.transfer.elapsed()
        act(on: stream, .head(status: status, fields), input)
      case .data(let number, let range):
        if let stream = multiplexer.streams[number] { act(on: stream, .data(range), input) }
        session.consumed(range.count, of: number)
      case .end(let number):
        if let stream = multiplexer.streams[number] { act(on: stream, .end, input) }
      case .closed(let number, let closing):
        if let stream = multiplexer.streams[number] { act(on: stream, .closed(closing), input) }
      case .capacity(let streams):
        decide(.resized(connection.id, streams: streams), origin: connection.origin)
      case .goingAway: retire(connection, multiplexer)
      }
    }
    if let failure = session.failure {
      breakOff(connection, multiplexer, failure)
    } else if input != nil, occupants[connection.id] != nil {
      willFlush(connection, multiplexer)
    }
  }

  private func act(
    on stream: Stream, _ event: HTTP2Exchange.Event, _ input: UnsafeRawBufferPointer?
  ) {
    let transfer = stream.transfer
    let now = Machine.monotonicNanoseconds
    stream.lastActivity = now
    let count = if case .data(let range) = event { range.count } else { 0 }
    if stream.speed.receive(Int64(count), at: now) { arm(stream) }
    switch stream.exchange.handle(event) {
    case .none: break
    case .begin:
      do throws(SinkError) {
        let decision = try transfer.sink.begin(head(stream))
        act(on: stream, .sinkDecided(decision), input)
      } catch {
        fail(transfer, .sink, error.description, sinkError: error)
      }
    case .deliver(let range):
      guard let input else { return }
      do throws(SinkError) {
        try transfer.sink.receive(input.bytes.extracting(range))
        // The time that the sink takes is not the server's.
        stream.lastActivity = Machine.monotonicNanoseconds
        stream.speed.exclude(stream.lastActivity &- now)
      } catch {
        fail(transfer, .sink, error.description, sinkError: error, undelivered: range.count)
      }
    case .finish(let outcome): finish(stream, outcome)
    case .fail(let code, let detail):
      let escaped = TransportError.escaped(detail, limit: 300)
      fail(transfer, code, "\(transfer.url.origin): \(escaped)")
    case .retry: refused(stream)
    case .useHTTP1:
      onlyHTTP1.insert(transfer.url.origin)
      if let multiplexer = stream.connection.multiplexer { retire(stream.connection, multiplexer) }
      decide(.demoted, origin: transfer.url.origin)
      refused(stream)
    }
  }

  private func head(_ stream: Stream) -> ResponseHead {
    let head = stream.exchange.head
    return ResponseHead(
      status: head?.status ?? 0, url: stream.transfer.url, fields: head?.fields ?? HTTPFields(),
      remoteAddress: stream.transfer.proxy == nil ? stream.connection.addressText : nil)
  }

  private func finish(_ stream: Stream, _ outcome: Exchange.Outcome) {
    let transfer = stream.transfer
    transfer.timings.lastByte = transfer.elapsed()
    let head = head(stream)
    transfers.removeValue(forKey: transfer.id)
    stream.connection.served += 1
    transfer.end(outcome, head)
    leave(stream)
    decide(
      .streamEnded(stream.connection.id, at: Machine.monotonicNanoseconds),
      origin: stream.connection.origin)
    settle(stream.connection)
  }

  /// The server did nothing with the request.
  private func refused(_ stream: Stream) {
    let transfer = stream.transfer
    transfer.refusals += 1
    guard transfer.refusals <= Self.maximumRefusals else {
      return fail(
        transfer, .connectionLost,
        "\(transfer.url.origin): the server did not take up the request \(transfer.refusals) times")
    }
    leave(stream)
    again(transfer, stream.connection)
  }

  private func again(_ transfer: Transfer, _ connection: Connection) {
    transfer.phase = .waiting
    decide(
      .streamRefused(connection.id, transfer.id, at: Machine.monotonicNanoseconds),
      origin: transfer.url.origin)
    settle(connection)
  }

  /// Takes a stream off its connection. The pool is told by the caller.
  func leave(_ stream: Stream) {
    occupants.removeValue(forKey: stream.id)
    guard let multiplexer = stream.connection.multiplexer else { return }
    multiplexer.streams.removeValue(forKey: stream.number)
    multiplexer.session.cancel(stream.number)
    willFlush(stream.connection, multiplexer)
  }

  /// What becomes of a connection when nobody may use it any more.
  func settle(_ connection: Connection) {
    guard let multiplexer = connection.multiplexer, multiplexer.streams.isEmpty,
      occupants[connection.id] != nil
    else { return }
    if multiplexer.isRetired {
      close(connection)
      return feedStarving()
    }
    connection.phase = .idle
    connection.phaseDeadline = Moment.after(
      Machine.monotonicNanoseconds, seconds: options.idleSeconds)
    arm(connection)
    if pool.idleCount > options.idleConnections || !starving.isEmpty || services.isPermitWanted {
      closeOldestIdle()
    }
  }

  /// No more streams on this connection; those that are there go on.
  func retire(_ connection: Connection, _ multiplexer: Multiplexer) {
    guard !multiplexer.isRetired else { return }
    multiplexer.isRetired = true
    decide(.retired(connection.id), origin: connection.origin)
    settle(connection)
  }

  private func breakOff(
    _ connection: Connection, _ multiplexer: Multiplexer, _ failure: HTTP2Failure
  ) {
    retire(connection, multiplexer)
    let streams = multiplexer.streams.values.sorted { $0.number < $1.number }
    for stream in streams { act(on: stream, .broken(failure), nil) }
  }

  private func willFlush(_ connection: Connection, _ multiplexer: Multiplexer) {
    guard !multiplexer.isUnflushed else { return }
    multiplexer.isUnflushed = true
    unflushed.append(connection)
  }

  /// Sends what all that happened since the last call has given to send, with few calls.
  func flushAll() {
    while let connection = unflushed.popLast() {
      guard let multiplexer = connection.multiplexer else { continue }
      multiplexer.isUnflushed = false
      if occupants[connection.id] != nil { flush(connection, multiplexer) }
    }
  }

  private func flush(_ connection: Connection, _ multiplexer: Multiplexer) {
    while true {
      if multiplexer.sent == multiplexer.output.count {
        multiplexer.output.removeAll(keepingCapacity: true)
        multiplexer.sent = 0
        let hasMore = multiplexer.session.output(into: &multiplexer.output)
        // A stream that we have reset is over now.
        follow(connection, multiplexer, nil)
        guard occupants[connection.id] != nil else { return }
        guard hasMore else { return watch(connection, .input) }
      }
      let result = multiplexer.output.withUnsafeBytes {
        connection.write(UnsafeRawBufferPointer(rebasing: $0[multiplexer.sent...]))
      }
      switch result {
      case .bytes(let count): multiplexer.sent += count
      case .wouldBlock(let forOutput):
        return watch(connection, forOutput ? [.input, .output] : .input)
      case .ended:
        let reason = "the server closed the connection"
        return breakOff(connection, multiplexer, HTTP2Failure(.ended, reason))
      case .failed(let reason):
        return breakOff(connection, multiplexer, HTTP2Failure(.ended, reason))
      }
    }
  }

  private func arm(_ stream: Stream) {
    let next = stream.nextDeadline
    guard next < stream.armed else { return }
    stream.armed = next
    deadlines.add(DeadlineQueue.Entry(time: next, id: stream.id))
  }

  func passDeadline(_ stream: Stream, _ now: UInt64) {
    guard stream.nextDeadline <= now else { return arm(stream) }
    let transfer = stream.transfer
    if transfer.totalDeadline <= now {
      return fail(transfer, .totalTimeout, tooSlow(transfer))
    }
    let connection = stream.connection
    // It is we who do not read.
    if connection.isThrottled {
      stream.lastActivity = now
      stream.speed.restart(at: now)
      return arm(stream)
    }
    if stream.speed.isTooSlow(at: now) { return fail(transfer, .lowSpeed, slow(transfer)) }
    // The deadline may have been that of a window that was fast enough.
    guard stream.nextDeadline <= now else { return arm(stream) }
    // A connection on which nothing has come for anyone since may be dead without anybody having
    // noticed. Not a question of how long ago: the loop may be late.
    if let multiplexer = connection.multiplexer, connection.lastActivity <= stream.lastActivity {
      retire(connection, multiplexer)
    }
    fail(transfer, .idleTimeout, silent(transfer))
  }
}
