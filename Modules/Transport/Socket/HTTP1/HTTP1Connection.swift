import HTTP1
import Models
import SystemCalls
import Threading
import Transport

/// A connection that speaks HTTP/1.1: writes one request after the other and brings the answers to
/// their sinks. Between two of them it is idle. Confined to its loop.
///
/// A connection decides nothing about others: each call returns what came of it, and the caller
/// closes the connection or uses it for the next transfer.
final class HTTP1Connection: DeadlineHolder {
  enum Event {
    /// The exchange is over. The connection can serve another one if `isReusable`.
    case finished(Transfer, Exchange.Outcome, ResponseHead, isReusable: Bool)
    case failed(Transfer, TransportError)
    /// The reused connection was gone before the server answered: the transfer wants a new one.
    case retry(Transfer)
    /// The idle connection is of no use any more.
    case idleEnded
  }

  let socket: ConnectedSocket
  /// The origin that the connection leads to; through a proxy, the origin of the last request.
  private(set) var origin: HTTPURL.Origin
  /// Exchanges completed.
  private(set) var served = 0
  /// The earliest entry in the loop's deadlines.
  var armedDeadline = ArmedDeadline()

  private let registry: Registry
  private let reader: SocketReader
  private let limits: HeadLimits
  private var transfer: Transfer?
  private var exchange: Exchange?
  /// Bytes of the request that are on their way.
  private var sent = 0
  /// Input that could not be used yet: the beginning of a line.
  private var unread: [UInt8] = []
  /// How fast the answer of the exchange comes.
  private var speed = SpeedWatch(TransferLimits())
  /// When the last byte came or went.
  private var lastActivity: UInt64 = 0
  /// The end of the drain's or the idle time.
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

  /// Bytes of the current answer that the sink has taken.
  var bytesDelivered: Int64 { exchange?.bytesDelivered ?? 0 }

  // MARK: - Its uses

  /// Sends the request of a transfer; the connection must be idle or new.
  func startExchange(for transfer: Transfer) -> Event? {
    self.transfer = transfer
    origin = transfer.url.origin
    phaseDeadline = Moment.never
    sent = 0
    speed = SpeedWatch(transfer.limits)
    exchange = Exchange(
      isReused: served > 0, maximumBodyBytes: transfer.limits.maxBodyBytes, limits: limits)
    return send(transfer)
  }

  /// Ends an exchange that left the connection clean.
  func becomeIdle(until deadline: UInt64) {
    transfer = nil
    exchange = nil
    served += 1
    phaseDeadline = deadline
  }

  /// Lets go of the transfer; the caller closes the socket.
  func abandon() {
    transfer = nil
    exchange = nil
  }

  // MARK: - What the loop reports

  func ready(_ readiness: Poller.Readiness) -> Event? {
    socket.observe(readiness)
    guard let transfer else { return reader.isStillGood(socket) ? nil : .idleEnded }
    if readiness.contains(.output), sent < transfer.request.count,
      let event = send(transfer)
    {
      return event
    }
    return readiness == .output ? nil : receive(transfer)
  }

  /// TLS may hold more input.
  func readOn() -> Event? { transfer.flatMap { receive($0) } }

  /// The rate limit gives something again.
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
    // The client itself does not read: the server cannot be blamed for the silence.
    if socket.isPaused, transfer.totalDeadline > now {
      speed.restart(at: now)
      lastActivity = now
      return nil
    }
    if exchange?.isDraining == true { return act(on: exchange?.handle(.drainedTooLong), transfer) }
    if transfer.totalDeadline <= now {
      return .failed(transfer, transfer.totalTimeout(delivered: bytesDelivered))
    }
    if speed.isTooSlow(at: now) {
      return .failed(transfer, transfer.lowSpeed(delivered: bytesDelivered))
    }
    // The deadline may have been that of a window that was fast enough.
    guard nextDeadline <= now else { return nil }
    return .failed(transfer, transfer.idleTimeout(delivered: bytesDelivered))
  }

  // MARK: - The request

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
        return act(on: exchange?.handle(.inputEnded(isClean: isClean)), transfer)
      case .failed(let reason): return act(on: exchange?.handle(.broken(reason)), transfer)
      }
    }
    let now = Machine.monotonicNanoseconds
    transfer.reach(.request, at: now)
    lastActivity = now
    socket.setInterest(.input)
    registry.arm(self)
    return nil
  }

  // MARK: - The answer

  private func receive(_ transfer: Transfer) -> Event? {
    for _ in 0..<SocketReader.readsInARow {
      let kept = unread.count
      switch reader.read(socket, after: unread) {
      case nil: return nil
      case .bytes(let count):
        let now = Machine.monotonicNanoseconds
        lastActivity = now
        let isFirst = speed.receive(Int64(count), at: now)
        transfer.reach(.firstByte, at: now)
        if let event = process(kept + count, transfer) { return event }
        // The time that the sink takes is not the server's.
        lastActivity = Machine.monotonicNanoseconds
        speed.exclude(lastActivity &- now)
        if isFirst { registry.arm(self) }
      case .wouldBlock: return nil
      case .ended(let isClean):
        return act(on: exchange?.handle(.inputEnded(isClean: isClean)), transfer)
      case .failed(let reason): return act(on: exchange?.handle(.broken(reason)), transfer)
      }
      // Plain input that is left makes the poller report again; TLS may hold some that it cannot see.
      guard socket.isSecure else { return nil }
    }
    reader.readLater(socket)
    return nil
  }

  /// Passes the first `count` bytes of the buffer through the exchange.
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
        return act(on: action, transfer, hasInputLeft: start < count)
      }
    }
  }

  /// Shows the head to the sink; nil if the exchange continues.
  private func offerHead(to transfer: Transfer) -> Event? {
    // Inside of a tunnel it would be the origin that speaks.
    if let proxy = transfer.proxy, !socket.isSecure, exchange?.head?.status == 407 {
      return .failed(transfer, transfer.error(.proxy, proxy.wantsCredentials))
    }
    let decision: BodyDecision
    do throws(SinkError) {
      decision = try transfer.sink.begin(head(for: transfer))
    } catch {
      return .failed(transfer, transfer.sinkFailure(error, delivered: bytesDelivered))
    }
    return act(on: exchange?.handle(.sinkDecided(decision)), transfer, hasInputLeft: true)
  }

  private func head(for transfer: Transfer) -> ResponseHead {
    let message = exchange?.head
    return ResponseHead(
      status: message?.status ?? 0, url: transfer.url, fields: message?.fields ?? HTTPFields(),
      remoteAddress: transfer.proxy == nil ? socket.addressText : nil)
  }

  private func limitDrain() {
    guard phaseDeadline == Moment.never else { return }
    phaseDeadline = Machine.monotonicNanoseconds &+ Exchange.drainTime
    registry.arm(self)
  }

  /// The event of an action that ends the exchange; nil for other actions.
  private func act(
    on action: Exchange.Action?, _ transfer: Transfer, hasInputLeft: Bool = false
  ) -> Event? {
    switch action {
    case nil, .wait, .proceed, .begin, .deliver: return nil
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
