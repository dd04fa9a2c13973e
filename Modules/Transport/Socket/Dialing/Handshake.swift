import HTTP1
import Models
import Threading
import Transport

/// Prepares a connected socket for requests to an origin: opens a tunnel through the proxy, if there
/// is one, then performs the TLS handshake of an https origin. Connections for http URLs need
/// neither if there is no proxy, or an HTTP proxy, which receives their requests directly. Confined
/// to its event loop.
final class Handshake {
  enum Step {
    /// The socket is not ready; call `advance` when the poller reports it.
    case wait
    /// The connection leads to the origin; the caller must start TLS if the origin is an https one.
    case tunnelOpened
    case done(NegotiatedProtocol)
    /// The handshake has failed. The text is escaped and may be shown.
    case failed(TransportError.Code, String)
    /// TLS with the server failed.
    case tlsFailed(TLSFailure)
  }

  let socket: ConnectedSocket
  private let reader: SocketReader
  private var tunnel: (any Tunnel)?
  /// The number of bytes of the tunnel's request that have been sent.
  private var sent = 0
  /// The unparsed beginning of the proxy's response.
  private var unread: [UInt8] = []

  /// - Parameter tunnel: The tunnel to open first; nil if the socket already leads to the origin.
  init(_ socket: ConnectedSocket, through tunnel: (any Tunnel)?, _ reader: SocketReader) {
    self.socket = socket
    self.tunnel = tunnel
    self.reader = reader
  }

  /// Starts TLS with the origin.
  func secure(
    with makeTLS: (_ descriptor: Int32) throws(TLSFailure) -> TLSConnection
  ) -> Step {
    do throws(TLSFailure) {
      try socket.secure(with: makeTLS)
    } catch {
      return .failed(.tls, error.reason)
    }
    return performHandshake()
  }

  /// Advances the handshake after the socket has become readable or writable.
  func advance() -> Step { tunnel == nil ? performHandshake() : openTunnel() }

  private func performHandshake() -> Step {
    switch socket.handshake() {
    case .wouldBlock(let forOutput):
      socket.setInterest(forOutput ? .output : .input)
      return .wait
    case .done: return .done(socket.negotiated)
    case .failed(let failure): return .tlsFailed(failure)
    }
  }

  private func openTunnel() -> Step {
    while let tunnel {
      if let step = send(tunnel) { return step }
      socket.setInterest(.input)
      let kept = unread.count
      switch reader.readUnlimited(socket, after: unread) {
      case .bytes(let count): if let step = readTunnel(kept + count) { return step }
      case .wouldBlock: return .wait
      case .ended: return step(for: tunnel.connectionEnded(nil))
      case .failed(let reason): return step(for: tunnel.connectionEnded(reason))
      }
    }
    return .tunnelOpened
  }

  /// Sends the rest of the tunnel's request; returns nil if all of it has been sent.
  private func send(_ tunnel: any Tunnel) -> Step? {
    let request = tunnel.request
    while sent < request.count {
      let result = request.withUnsafeBytes {
        socket.write(UnsafeRawBufferPointer(rebasing: $0[sent...]))
      }
      switch result {
      case .bytes(let count): sent += count
      case .wouldBlock:
        socket.setInterest([.input, .output])
        return .wait
      case .ended: return step(for: tunnel.connectionEnded(nil))
      case .failed(let reason): return step(for: tunnel.connectionEnded(reason))
      }
    }
    return nil
  }

  /// Passes the first `count` bytes of the read buffer to the tunnel; returns nil if the tunnel has
  /// another request.
  private func readTunnel(_ count: Int) -> Step? {
    let input = reader.bytes(0..<count)
    guard let (consumed, action) = tunnel?.read(input.bytes) else { return .wait }
    unread = action == .wait ? Array(input[consumed...]) : []
    guard action == .send else { return step(for: action) }
    sent = 0
    return nil
  }

  private func step(for action: TunnelAction) -> Step {
    switch action {
    case .wait, .send: return .wait
    case .open:
      tunnel = nil
      return .tunnelOpened
    case .fail(let code, let detail):
      return .failed(code, TransportError.escaped(detail, limit: 300))
    }
  }
}
