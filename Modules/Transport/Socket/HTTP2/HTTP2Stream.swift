import Models
import SystemCalls
import Transport

/// One transfer on an HTTP/2 stream: passes the stream's events through its exchange, and the body
/// to the sink. Confined to its event loop.
final class HTTP2Stream: DeadlineHolder {
  /// The way in which a stream ended.
  enum Outcome {
    case finished(Exchange.Outcome)
    case failed(TransportError)
    /// The server did not process the request, which may be sent again.
    case refused(HTTP2Refusal)
    /// The server did not process the request, and requires HTTP/1.1 for it.
    case wantsHTTP1
  }

  let token: UInt64
  /// The stream identifier of HTTP/2, an odd number.
  let number: Int32
  let connection: HTTP2Connection
  let transfer: Transfer
  /// The stream's earliest entry in the deadline queue of the loop.
  var armedDeadline = ArmedDeadline()
  /// The time from which the idle timeout of the stream counts.
  private(set) var lastActivity: UInt64

  private let registry: Registry
  private var exchange: HTTP2Exchange
  /// The check of the response's minimum speed.
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

  /// The number of bytes of the response that the sink has received.
  var bytesDelivered: Int64 { exchange.bytesDelivered }

  /// The head of the response; empty before it was received.
  var head: ResponseHead {
    let head = exchange.head
    return ResponseHead(
      status: head?.status ?? 0, url: transfer.url, fields: head?.fields ?? HTTPFields(),
      remoteAddress: transfer.proxy == nil ? connection.socket.addressText : nil,
      hasLeftOrigin: transfer.hasLeftOrigin)
  }

  /// - Parameter input: The bytes to which the offsets of the event refer.
  /// - Returns: The outcome if the event ends the stream, otherwise nil; nil for every event after
  ///   the outcome.
  func handle(
    _ event: HTTP2Exchange.Event, _ input: UnsafeRawBufferPointer?
  ) -> Outcome? {
    let now = Machine.monotonicNanoseconds
    lastActivity = now
    let count = if case .data(let range) = event { range.count } else { 0 }
    if speed.receive(Int64(count), at: now) { registry.arm(self) }
    switch exchange.handle(event) {
    case .none: return nil
    case .begin: return begin(input)
    case .misdirected:
      return transfer.repeatsMisdirected() ? handle(.repeatsMisdirected, input) : begin(input)
    case .deliver(let range): return deliver(range, of: input, since: now)
    case .finish(let outcome):
      transfer.reach(.lastByte)
      return .finished(outcome)
    case .fail where connection.socket.certificateComplaint != nil,
      .retry where connection.socket.certificateComplaint != nil:
      return .failed(
        transfer.refusedCertificate(connection.socket, delivered: bytesDelivered))
    case .fail(let code, let detail):
      return .failed(transfer.serverError(code, detail, delivered: bytesDelivered))
    case .retry(let refusal): return .refused(refusal)
    case .useHTTP1: return .wantsHTTP1
    }
  }

  /// Passes the head to the sink.
  private func begin(_ input: UnsafeRawBufferPointer?) -> Outcome? {
    do throws(SinkError) {
      return handle(.sinkDecided(try transfer.sink.begin(head)), input)
    } catch {
      return .failed(transfer.sinkFailure(error, delivered: bytesDelivered))
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
    // The time that the sink takes must not count as the server's inactivity.
    lastActivity = Machine.monotonicNanoseconds
    speed.exclude(lastActivity &- now)
    return nil
  }

  /// Excludes a time in nanoseconds, in which the client did not read, from the measured speed.
  func exclude(_ nanoseconds: UInt64) { speed.exclude(nanoseconds) }

  // MARK: - Deadlines

  var nextDeadline: UInt64 {
    min(
      transfer.totalDeadline, speed.deadline,
      Moment.after(lastActivity, seconds: transfer.limits.idleTimeout))
  }

  /// - Parameters:
  ///   - isPaused: Whether the rate limit stops the reads of the connection.
  ///   - hasInput: Whether bytes for any stream have arrived that were not read yet.
  /// - Returns: The error with which the transfer fails; nil if it continues.
  func handleDeadline(
    _ now: UInt64, isPaused: Bool, hasInput: Bool = false
  ) -> TransportError? {
    let error = nextDeadline <= now ? timedOut(now, isPaused, hasInput) : nil
    if error == nil { registry.arm(self) }
    return error
  }

  private func timedOut(
    _ now: UInt64, _ isPaused: Bool, _ hasInput: Bool
  ) -> TransportError? {
    if transfer.totalDeadline <= now { return transfer.totalTimeout(delivered: bytesDelivered) }
    // While the rate limit stops the reads, the server is not responsible for the inactivity.
    if isPaused {
      lastActivity = now
      speed.restart(at: now)
      return nil
    }
    if speed.isTooSlow(at: now) { return transfer.lowSpeed(delivered: bytesDelivered) }
    // The deadline may have been the end of a speed window in which the transfer was fast enough.
    guard nextDeadline <= now else { return nil }
    // The process was stopped for a time, or the loop is late: what has arrived is read first.
    if hasInput {
      lastActivity = now
      return nil
    }
    return transfer.idleTimeout(delivered: bytesDelivered)
  }
}
