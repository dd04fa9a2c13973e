import Models
import SystemCalls
import Threading

/// A connected socket, with TLS or without, that the poller watches. Confined to its loop.
final class ConnectedSocket {
  /// The socket's token in the poller and in the registry.
  let token: UInt64
  let address: SocketAddress
  let addressText: String
  private let descriptor: OwnedDescriptor
  private let poller: Poller
  private var tls: TLSConnection?
  private var interest: Poller.Readiness
  /// Whether the socket waits for its share of the rate limit.
  private(set) var isPaused = false
  private var pausedSince: UInt64 = 0
  /// The peer is gone: what is left in the socket is read at once, since it would be reported for ever.
  private(set) var hasHungUp = false

  /// - Parameter interest: what the poller watches the descriptor for already.
  init(
    token: UInt64, address: SocketAddress, descriptor: OwnedDescriptor, poller: Poller,
    interest: Poller.Readiness
  ) {
    self.token = token
    self.address = address
    self.descriptor = descriptor
    self.poller = poller
    self.interest = interest
    addressText = address.ip.description
  }

  // MARK: - TLS

  /// TLS may hold input that the poller cannot see.
  var isSecure: Bool { tls != nil }

  /// Begins TLS; `handshake` is next.
  func secure(
    with makeTLS: (_ descriptor: Int32) throws(TLSFailure) -> TLSConnection
  ) throws(TLSFailure) {
    tls = try makeTLS(descriptor.raw)
  }

  func handshake() -> TLSConnection.Handshake { tls?.handshake() ?? .done }

  /// The protocol that TLS has agreed on; HTTP/1.1 without TLS.
  var negotiated: NegotiatedProtocol { tls?.hasAgreedOnHTTP2 == true ? .http2 : .http1 }

  /// The newest ticket, if the server has given one that can be used.
  var ticket: TLSTicket? { tls?.ticket }

  // MARK: - Bytes

  func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamResult {
    tls?.read(into: buffer) ?? StreamSocket.receive(descriptor.raw, into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> StreamResult {
    tls?.write(bytes) ?? StreamSocket.send(descriptor.raw, bytes)
  }

  /// Whether an idle connection that the poller reports is good for another request. Input without a
  /// request is no response (RFC 9112 §9.2); over TLS it may be a ticket.
  func isStillGood(_ scratch: UnsafeMutableRawBufferPointer) -> Bool {
    let result = tls?.read(into: scratch) ?? StreamSocket.peek(descriptor.raw)
    return if case .wouldBlock = result { true } else { false }
  }

  // MARK: - The poller

  /// Keeps what the poller has reported about the socket permanently.
  func observe(_ readiness: Poller.Readiness) {
    if !readiness.isDisjoint(with: [.hungUp, .failed]) { hasHungUp = true }
  }

  func setInterest(_ interest: Poller.Readiness) {
    let interest = isPaused ? interest.subtracting(.input) : interest
    guard self.interest != interest else { return }
    self.interest = interest
    poller.change(descriptor.raw, interest, token: token)
  }

  /// Stops watching for input until `resume`.
  func pause(at now: UInt64) {
    isPaused = true
    pausedSince = now
    setInterest(interest)
  }

  /// - Returns: nanoseconds since `pause`. That time is not the server's.
  func resume(at now: UInt64) -> UInt64 {
    isPaused = false
    return now > pausedSince ? now - pausedSince : 0
  }

  func close() {
    tls?.sendEnd()
    tls = nil
    descriptor.close()
  }
}

/// The protocol of a connection.
enum NegotiatedProtocol {
  case http1, http2
}
