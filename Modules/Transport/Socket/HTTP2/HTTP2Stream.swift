import Models
import SystemCalls
import Transport

/// One transfer on a stream of a connection of HTTP/2: passes what comes for it through its exchange,
/// and the body to the sink. Confined to its loop.
final class HTTP2Stream: DeadlineHolder {
  /// How a stream comes to its end.
  enum Outcome {
    case finished(Exchange.Outcome)
    case failed(TransportError)
    /// The server did nothing with the request: it may be sent again.
    case refused
    /// The server did nothing with the request, and wants HTTP/1.1 for it.
    case wantsHTTP1
  }

  let token: UInt64
  /// The stream identifier of HTTP/2, an odd number.
  let number: Int32
  let connection: HTTP2Connection
  let transfer: Transfer
  /// The earliest entry in the loop's deadlines.
  var armedDeadline = ArmedDeadline()
  /// The time at which something last came for the stream.
  private(set) var lastActivity: UInt64

  private let registry: Registry
  private var exchange: HTTP2Exchange
  /// How fast the answer comes.
  private var speed: SpeedWatch

  init(
    number: Int32, of connection: HTTP2Connection, for transfer: Transfer, _ registry: Registry,
    now: UInt64
  ) {
    token = registry.makeToken()
    self.number = number
    self.connection = connection
    self.transfer = transfer
    self.registry = registry
    exchange = HTTP2Exchange(
      isReused: connection.served > 0, maximumBodyBytes: transfer.limits.maxBodyBytes)
    lastActivity = now
    speed = SpeedWatch(transfer.limits)
  }

  /// Bytes of the answer that the sink has taken.
  var bytesDelivered: Int64 { exchange.bytesDelivered }

  /// The head of the answer, as far as it is there.
  var head: ResponseHead {
    let head = exchange.head
    return ResponseHead(
      status: head?.status ?? 0, url: transfer.url, fields: head?.fields ?? HTTPFields(),
      remoteAddress: transfer.proxy == nil ? connection.socket.addressText : nil)
  }

  /// - Parameter input: what the offsets of the event mean.
  /// - Returns: nil while the stream continues; after an outcome every further event is without one.
  func handle(
    _ event: HTTP2Exchange.Event, _ input: UnsafeRawBufferPointer?
  ) -> Outcome? {
    let now = Machine.monotonicNanoseconds
    lastActivity = now
    let count = if case .data(let range) = event { range.count } else { 0 }
    if speed.receive(Int64(count), at: now) { registry.arm(self) }
    switch exchange.handle(event) {
    case .none: return nil
    case .begin:
      do throws(SinkError) {
        return handle(.sinkDecided(try transfer.sink.begin(head)), input)
      } catch {
        return .failed(transfer.sinkFailure(error, delivered: bytesDelivered))
      }
    case .deliver(let range): return deliver(range, of: input, since: now)
    case .finish(let outcome):
      transfer.reach(.lastByte)
      return .finished(outcome)
    case .fail(let code, let detail):
      return .failed(transfer.serverError(code, detail, delivered: bytesDelivered))
    case .retry: return .refused
    case .useHTTP1: return .wantsHTTP1
    }
  }

  private func deliver(
    _ range: Range<Int>, of input: UnsafeRawBufferPointer?, since now: UInt64
  ) -> Outcome? {
    guard let input else { return nil }
    do throws(SinkError) {
      try transfer.sink.receive(input.bytes.extracting(range))
    } catch {
      let delivered = bytesDelivered - Int64(range.count)
      return .failed(transfer.sinkFailure(error, delivered: delivered))
    }
    // The time that the sink takes is not the server's.
    lastActivity = Machine.monotonicNanoseconds
    speed.exclude(lastActivity &- now)
    return nil
  }

  /// Excludes nanoseconds in which the client did not read from the speed of the answer.
  func exclude(_ nanoseconds: UInt64) { speed.exclude(nanoseconds) }

  // MARK: - Deadlines

  var nextDeadline: UInt64 {
    min(
      transfer.totalDeadline, speed.deadline,
      Moment.after(lastActivity, seconds: transfer.limits.idleTimeout))
  }

  /// - Parameter isPaused: whether the rate limit keeps the connection from being read.
  /// - Returns: why the transfer fails, if it does.
  func handleDeadline(_ now: UInt64, isPaused: Bool) -> TransportError? {
    let error = nextDeadline <= now ? timedOut(now, isPaused) : nil
    if error == nil { registry.arm(self) }
    return error
  }

  private func timedOut(_ now: UInt64, _ isPaused: Bool) -> TransportError? {
    if transfer.totalDeadline <= now { return transfer.totalTimeout(delivered: bytesDelivered) }
    // The client itself does not read: the server cannot be blamed for the silence.
    if isPaused {
      lastActivity = now
      speed.restart(at: now)
      return nil
    }
    if speed.isTooSlow(at: now) { return transfer.lowSpeed(delivered: bytesDelivered) }
    // The deadline may have been that of a window that was fast enough.
    guard nextDeadline <= now else { return nil }
    return transfer.idleTimeout(delivered: bytesDelivered)
  }
}
