import HTTP1
import Models
import Threading
import Transport

/// Prepares a connected socket for requests to an https origin: opens a tunnel through the proxy,
/// if there is one, then performs the TLS handshake. Connections for http URLs need neither,
/// because a proxy receives their requests directly. Confined to its event loop.
final class Handshake {
  enum Step {
    /// The socket is not ready; call `advance` when the poller reports it.
    case wait
    /// The connection leads to the origin; the caller must start TLS.
    case tunnelOpened
    case done(NegotiatedProtocol)
    /// The handshake has failed. The text is escaped and may be shown.
    case failed(TransportError.Code, String)
    /// TLS with the server failed.
    case tlsFailed(TLSFailure)
  }

  let socket: ConnectedSocket
  private let reader: SocketReader
  private var tunnel: ProxyTunnel?
  /// The number of bytes of the CONNECT request that have been sent.
  private var sent = 0
  /// The unparsed beginning of the proxy's response to CONNECT.
  private var unread: [UInt8] = []

  /// - Parameter tunnel: The tunnel to open first; nil if the socket already leads to the origin.
  init(_ socket: ConnectedSocket, through tunnel: ProxyTunnel?, _ reader: SocketReader) {
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
    guard let tunnel else { return .tunnelOpened }
    while sent < tunnel.request.count {
      let result = tunnel.request.withUnsafeBytes {
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
    socket.setInterest(.input)
    let kept = unread.count
    switch reader.readUnlimited(socket, after: unread) {
    case .bytes(let count): return readTunnel(kept + count)
    case .wouldBlock: return .wait
    case .ended: return step(for: tunnel.connectionEnded(nil))
    case .failed(let reason): return step(for: tunnel.connectionEnded(reason))
    }
  }

  /// Passes the first `count` bytes of the read buffer to the tunnel.
  private func readTunnel(_ count: Int) -> Step {
    let input = reader.bytes(0..<count)
    guard let (consumed, action) = tunnel?.read(input.bytes) else { return .wait }
    unread = action == .wait ? Array(input[consumed...]) : []
    return step(for: action)
  }

  private func step(for action: ProxyTunnel.Action) -> Step {
    switch action {
    case .wait: return .wait
    case .open:
      tunnel = nil
      return .tunnelOpened
    case .fail(let code, let detail):
      return .failed(code, TransportError.escaped(detail, limit: 300))
    }
  }
}
