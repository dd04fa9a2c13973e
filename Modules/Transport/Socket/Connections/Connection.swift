import HTTP1
import Models
import SystemCalls
import Threading
import Transport

/// A connected socket, with TLS or without, and what it serves: one exchange of HTTP/1.1, or the
/// streams of HTTP/2. Confined to its loop.
final class Connection {
  enum Phase {
    case tunnelling, handshaking, active, idle
  }

  /// Its token in the poller too.
  let id: UInt64
  /// Whom it leads to; that of the last request if it leads to a proxy.
  var origin: HTTPURL.Origin
  let address: SocketAddress
  let addressText: String
  let descriptor: OwnedDescriptor
  var tls: TLSConnection?
  var phase = Phase.handshaking
  /// Set if the connection speaks HTTP/2; `transfer` and `exchange` are not used then.
  var multiplexer: Multiplexer?
  /// While a proxy is asked for the way to the origin.
  var tunnel: ProxyTunnel?
  var transfer: Transfer?
  var exchange: Exchange?
  /// Bytes of the request that are on their way.
  var sent = 0
  /// Input that could not be used yet: the beginning of a line.
  var unread: [UInt8] = []
  /// Exchanges completed.
  var served = 0
  var interest: Poller.Readiness
  /// Waits for its share of the rate limit.
  var isThrottled = false
  /// Since when, in nanoseconds.
  var throttledSince: UInt64 = 0
  /// How fast the answer of the exchange comes.
  var speed = SpeedWatch(TransferLimits())
  /// The socket is gone: what is left in it is read at once, since it would be reported for ever.
  var hasHungUp = false
  /// When the last byte came or went.
  var lastActivity: UInt64 = 0
  /// The end of the handshake's, the drain's or the idle time.
  var phaseDeadline = Moment.never
  /// The earliest entry in the loop's deadlines.
  var armed = Moment.never

  init(
    id: UInt64, origin: HTTPURL.Origin, address: SocketAddress, descriptor: OwnedDescriptor,
    interest: Poller.Readiness
  ) {
    self.id = id
    self.origin = origin
    self.address = address
    self.descriptor = descriptor
    self.interest = interest
    addressText = address.ip.description
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamResult {
    tls?.read(into: buffer) ?? StreamSocket.receive(descriptor.raw, into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> StreamResult {
    tls?.write(bytes) ?? StreamSocket.send(descriptor.raw, bytes)
  }

  /// Whether an idle connection that the poller reports is good for another request. Input without a request is no response
  /// (RFC 9112 §9.2); over TLS it may be a ticket.
  func isStillGood(_ scratch: UnsafeMutableRawBufferPointer) -> Bool {
    let result = tls?.read(into: scratch) ?? StreamSocket.peek(descriptor.raw)
    return if case .wouldBlock = result { true } else { false }
  }

  /// When the loop has to look at the connection again.
  var nextDeadline: UInt64 {
    guard let transfer else { return phaseDeadline }
    var next = min(phaseDeadline, transfer.totalDeadline)
    if phase == .active {
      next = min(
        next, speed.deadline, Moment.after(lastActivity, seconds: transfer.limits.idleTimeout))
    }
    return next
  }

  func close() {
    if let multiplexer {
      // A courtesy: what the socket does not take at once is not sent.
      multiplexer.session.end()
      if multiplexer.sent == multiplexer.output.count {
        multiplexer.output.removeAll()
        multiplexer.sent = 0
      }
      _ = multiplexer.session.output(into: &multiplexer.output)
      _ = multiplexer.output.withUnsafeBytes {
        write(UnsafeRawBufferPointer(rebasing: $0[multiplexer.sent...]))
      }
      self.multiplexer = nil
    }
    tls?.sendEnd()
    tls = nil
    descriptor.close()
  }
}
