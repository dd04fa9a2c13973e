import HTTP1
import Models
import SystemCalls
import Threading
import Transport

/// A connection that uses HTTP/1.1: sends one request at a time and passes the response to the
/// transfer's sink; idle between two exchanges. Confined to its event loop.
///
/// Each method returns its outcome, after which the caller closes the connection or uses it for the
/// next transfer.
final class HTTP1Connection: DeadlineHolder {
  enum Event {
    /// The exchange has ended. The connection can serve another one if `isReusable` is true.
    case finished(Transfer, Exchange.Outcome, ResponseHead, isReusable: Bool)
    case failed(Transfer, TransportError)
    /// The reused connection was closed before the response, or is not the right one for the request; the transfer
    /// needs a new connection.
    case retry(Transfer)
    /// The idle connection was closed by the server, or has been idle for too long.
    case idleEnded
  }

  let socket: ConnectedSocket
  /// The origin of the current request, or of the last one. A connection to a proxy may serve
  /// requests to different origins.
  private(set) var origin: HTTPURL.Origin
  /// The number of completed exchanges.
  private(set) var served = 0
  /// The connection's earliest entry in the deadline queue of the loop.
  var armedDeadline = ArmedDeadline()

  private let registry: Registry
  private let reader: SocketReader
  private let limits: HeadLimits
  private var transfer: Transfer?
  private var exchange: Exchange?
  /// The number of bytes of the request that have been sent.
  private var sent = 0
  /// The unprocessed input: the beginning of an incomplete line.
  private var unread: [UInt8] = []
  /// The check of the current response's minimum speed.
  private var speed = SpeedWatch(TransferLimits())
  /// The time at which a byte was last received or sent.
  private var lastActivity: UInt64 = 0
  /// The deadline for draining an unwanted body during an exchange, or for closing the idle
  /// connection.
  private var phaseDeadline = Moment.never

  init(
    _ socket: ConnectedSocket, to origin: HTTPURL.Origin, _ registry: Registry,
    _ reader: SocketReader, limits: HeadLimits
  ) {
    self.socket = socket
    self.origin = origin
    self.registry = registry
    self.reader = reader
    self.limits = limits
  }

  var token: UInt64 { socket.token }

  var isIdle: Bool { transfer == nil }

  /// The number of bytes of the current response that the sink has received.
  var bytesDelivered: Int64 { exchange?.bytesDelivered ?? 0 }

  // MARK: - Exchanges

  /// Sends the request of a transfer; the connection must be idle or new.
  func startExchange(for transfer: Transfer) -> Event? {
    self.transfer = transfer
    // Bytes that nobody has requested, behind the last response, would be taken for the next one. Those that arrived
    // while the connection was idle have closed it; these have arrived since.
    if served > 0, !reader.isReusable(socket) { return .retry(transfer) }
    origin = transfer.url.origin
    phaseDeadline = Moment.never
    sent = 0
    speed = SpeedWatch(transfer.limits)
    exchange = Exchange(
      isReused: served > 0, maximumBodyBytes: transfer.limits.maxBodyBytes, limits: limits)
    return send(transfer)
  }

  /// Ends an exchange after which the connection can be reused.
  func becomeIdle(until deadline: UInt64) {
    transfer = nil
    exchange = nil
    served += 1
    phaseDeadline = deadline
  }

  /// Drops the transfer of the connection, whose socket the caller closes.
  func abandon() {
    transfer = nil
    exchange = nil
  }

  // MARK: - Events of the loop

  func ready(_ readiness: Poller.Readiness) -> Event? {
    socket.observe(readiness)
    guard let transfer else { return reader.isReusable(socket) ? nil : .idleEnded }
    if readiness.contains(.output), sent < transfer.request.count,
      let event = send(transfer)
    {
      return event
    }
    return readiness == .output ? nil : receive(transfer)
  }

  /// Reads input that TLS has buffered, which the poller does not report.
  func readBuffered() -> Event? { transfer.flatMap { receive($0) } }

  /// Resumes reading after the rate limiter has made bytes available.
  func resume(at now: UInt64) -> Event? {
    lastActivity = now
    speed.exclude(socket.resume(at: now))
    socket.setInterest(.input)
    return ready(.input)
  }

  // MARK: - Deadlines

  var nextDeadline: UInt64 {
    guard let transfer else { return phaseDeadline }
    return min(
      phaseDeadline, transfer.totalDeadline, speed.deadline,
      Moment.after(lastActivity, seconds: transfer.limits.idleTimeout))
  }

  func handleDeadline(_ now: UInt64) -> Event? {
    let event = nextDeadline <= now ? timedOut(now) : nil
    if event == nil { registry.arm(self) }
    return event
  }

  private func timedOut(_ now: UInt64) -> Event? {
    guard let transfer else { return .idleEnded }
    // While the rate limit stops the reads, the server is not responsible for the inactivity.
    if socket.isPaused, transfer.totalDeadline > now {
      speed.restart(at: now)
      lastActivity = now
      return nil
    }
    if exchange?.isDraining == true {
      return event(for: exchange?.handle(.drainedTooLong), transfer)
    }
    if transfer.totalDeadline <= now {
      return .failed(transfer, transfer.totalTimeout(delivered: bytesDelivered))
    }
    if speed.isTooSlow(at: now) {
      return .failed(transfer, transfer.lowSpeed(delivered: bytesDelivered))
    }
    // The deadline may have been the end of a speed window in which the transfer was fast enough.
    guard nextDeadline <= now else { return nil }
    // The process was stopped for a time, or the loop is late: what has arrived is read first.
    if socket.hasInput {
      lastActivity = now
      return nil
    }
    return .failed(transfer, transfer.idleTimeout(delivered: bytesDelivered))
  }

  // MARK: - Sending the request

  private func send(_ transfer: Transfer) -> Event? {
    while sent < transfer.request.count {
      let result = transfer.request.withUnsafeBytes {
        socket.write(UnsafeRawBufferPointer(rebasing: $0[sent...]))
      }
      switch result {
      case .bytes(let count): sent += count
      case .wouldBlock(let forOutput):
        socket.setInterest(forOutput ? [.input, .output] : .input)
        lastActivity = Machine.monotonicNanoseconds
        registry.arm(self)
        return nil
      case .ended(let isClean):
        return event(for: exchange?.handle(.inputEnded(isClean: isClean)), transfer)
      case .failed(let reason): return event(for: exchange?.handle(.broken(reason)), transfer)
      }
    }
    let now = Machine.monotonicNanoseconds
    transfer.reach(.request, at: now)
    lastActivity = now
    socket.setInterest(.input)
    registry.arm(self)
    return nil
  }

  // MARK: - Receiving the response

  private func receive(_ transfer: Transfer) -> Event? {
    for _ in 0..<SocketReader.maximumConsecutiveReads {
      let kept = unread.count
      switch reader.read(socket, after: unread, own: transfer.limiter) {
      case nil: return nil
      case .bytes(let count):
        let now = Machine.monotonicNanoseconds
        lastActivity = now
        let isFirst = speed.receive(Int64(count), at: now)
        transfer.reach(.firstByte, at: now)
        if let event = process(kept + count, transfer) { return event }
        // The time that the sink takes must not count as the server's inactivity.
        lastActivity = Machine.monotonicNanoseconds
        speed.exclude(lastActivity &- now)
        if isFirst { registry.arm(self) }
      case .wouldBlock: return nil
      case .ended(let isClean):
        let isEnd = isClean || exchange?.head != nil && transfer.sink.provesEnd
        return event(for: exchange?.handle(.inputEnded(isClean: isEnd)), transfer)
      case .failed(let reason): return event(for: exchange?.handle(.broken(reason)), transfer)
      }
      // The poller reports remaining input of a plaintext socket again, but not input that TLS has
      // buffered.
      guard socket.isSecure else { return nil }
    }
    reader.readLater(socket)
    return nil
  }

  /// Passes the first `count` bytes of the read buffer through the exchange.
  private func process(_ count: Int, _ transfer: Transfer) -> Event? {
    var start = 0
    while true {
      let rest = reader.bytes(start..<count)
      guard let (consumed, action) = exchange?.read(rest.bytes) else { return nil }
      start += consumed
      switch action {
      case .proceed: break
      case .deliver(let range):
        do throws(SinkError) {
          try transfer.sink.receive(rest.bytes.extracting(range))
        } catch {
          let delivered = bytesDelivered - Int64(range.count)
          return .failed(transfer, transfer.sinkFailure(error, delivered: delivered))
        }
      case .begin:
        if let event = offerHead(to: transfer) { return event }
      case .wait:
        unread = start < count ? Array(reader.bytes(start..<count)) : []
        if exchange?.isDraining == true { limitDrain() }
        return nil
      case .finish, .fail, .retry:
        return event(for: action, transfer, hasInputLeft: start < count)
      }
    }
  }

  /// Passes the head to the sink; returns nil if the exchange continues.
  private func offerHead(to transfer: Transfer) -> Event? {
    // Status 407 comes from the proxy only without a tunnel; within a tunnel it is the origin's
    // response.
    if let proxy = transfer.proxy, proxy.forwards(transfer.url.scheme),
      exchange?.head?.status == 407
    {
      return .failed(transfer, transfer.error(.proxy, proxy.credentialsRequiredText))
    }
    let decision: BodyDecision
    do throws(SinkError) {
      decision = try transfer.sink.begin(head(for: transfer))
    } catch {
      return .failed(transfer, transfer.sinkFailure(error, delivered: bytesDelivered))
    }
    return event(for: exchange?.handle(.sinkDecided(decision)), transfer, hasInputLeft: true)
  }

  private func head(for transfer: Transfer) -> ResponseHead {
    let message = exchange?.head
    return ResponseHead(
      status: message?.status ?? 0, url: transfer.url, fields: message?.fields ?? HTTPFields(),
      remoteAddress: transfer.proxy == nil ? socket.addressText : nil,
      hasLeftOrigin: transfer.hasLeftOrigin)
  }

  private func limitDrain() {
    guard phaseDeadline == Moment.never else { return }
    phaseDeadline = Machine.monotonicNanoseconds &+ Exchange.drainTime
    registry.arm(self)
  }

  /// Returns the event of an action that ends the exchange; nil for other actions.
  private func event(
    for action: Exchange.Action?, _ transfer: Transfer, hasInputLeft: Bool = false
  ) -> Event? {
    switch action {
    case nil, .wait, .proceed, .begin, .deliver: return nil
    case .fail where socket.certificateComplaint != nil,
      .retry where socket.certificateComplaint != nil:
      return .failed(transfer, transfer.refusedCertificate(socket, delivered: bytesDelivered))
    case .fail(let code, let detail):
      return .failed(
        transfer, transfer.serverError(code, detail, delivered: bytesDelivered))
    case .retry: return .retry(transfer)
    case .finish(let outcome, let keepsConnection):
      transfer.reach(.lastByte)
      unread = []
      return .finished(
        transfer, outcome, head(for: transfer), isReusable: keepsConnection && !hasInputLeft)
    }
  }
}
