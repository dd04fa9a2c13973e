import Glibc
import Models
import SystemCalls
import Threading

/// A connected socket, with TLS or without, that the poller watches. Confined to its event loop.
final class ConnectedSocket {
  /// The socket's token in the poller and in the registry.
  let token: UInt64
  let address: SocketAddress
  let addressText: String
  private let descriptor: OwnedDescriptor
  private let poller: Poller
  private var tls: TLSConnection?
  private var interest: Poller.Readiness
  /// Whether the socket waits until the rate limiter has bytes for it.
  private(set) var isPaused = false
  private var pausedSince: UInt64 = 0
  /// Whether the poller has reported a hang-up or an error. The remaining input is then read at
  /// once, because the poller would report the socket again and again.
  private(set) var hasHungUp = false

  /// - Parameter interest: The events for which the poller watches the descriptor already.
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

  /// Whether the connection uses TLS, which may hold decrypted input that the poller does not
  /// report.
  var isSecure: Bool { tls != nil }

  /// Starts TLS; the caller must then perform the handshake.
  func secure(
    with makeTLS: (_ descriptor: Int32) throws(TLSFailure) -> TLSConnection
  ) throws(TLSFailure) {
    tls = try makeTLS(descriptor.raw)
  }

  func handshake() -> TLSConnection.Handshake { tls?.handshake() ?? .done }

  /// The protocol negotiated by ALPN; HTTP/1.1 without TLS.
  var negotiated: NegotiatedProtocol { tls?.hasAgreedOnHTTP2 == true ? .http2 : .http1 }

  /// The meaning of the alert with which the server has refused the client's certificate; nil if it has sent none.
  var certificateComplaint: String? { tls?.complaint }

  /// The newest session ticket; nil if the server has sent no ticket that can be used.
  var ticket: TLSTicket? { tls?.ticket }

  // MARK: - Bytes

  func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamResult {
    tls?.read(into: buffer) ?? StreamSocket.receive(descriptor.raw, into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> StreamResult {
    tls?.write(bytes) ?? StreamSocket.send(descriptor.raw, bytes)
  }

  /// Returns whether an idle connection that the poller reports can serve another request. Over TLS
  /// the input may be a session ticket, which is consumed; other input cannot be a response,
  /// because no request was sent (RFC 9112 §9.2).
  func isReusable(_ scratch: UnsafeMutableRawBufferPointer) -> Bool {
    let result = tls?.read(into: scratch) ?? StreamSocket.peek(descriptor.raw)
    return if case .wouldBlock = result { true } else { false }
  }

  /// Whether bytes have arrived that were not read yet. After a hang-up, what was left has been read.
  var hasInput: Bool {
    var entry = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
    return !hasHungUp && !isPaused && poll(&entry, 1, 0) > 0
  }

  // MARK: - The poller

  /// Records a hang-up or an error, both of which are permanent.
  func observe(_ readiness: Poller.Readiness) {
    if readiness.hasEnded { hasHungUp = true }
  }

  func setInterest(_ interest: Poller.Readiness) {
    let interest = isPaused ? interest.subtracting(.input) : interest
    guard self.interest != interest else { return }
    self.interest = interest
    poller.change(descriptor.raw, interest, token: token)
  }

  /// Stops watching for input until `resume` is called.
  func pause(at now: UInt64) {
    isPaused = true
    pausedSince = now
    setInterest(interest)
  }

  /// Ends the pause; the caller sets the interest again.
  /// - Returns: The time since `pause` in nanoseconds, which must not count as the server's
  ///   inactivity.
  func resume(at now: UInt64) -> UInt64 {
    isPaused = false
    return now > pausedSince ? now - pausedSince : 0
  }

  func close() {
    tls?.sendCloseNotify()
    tls = nil
    descriptor.close()
  }
}

/// The protocol of a connection.
enum NegotiatedProtocol {
  case http1, http2
}
