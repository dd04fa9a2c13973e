import HTTP1
import Models
import Transport

/// The state machine that makes a connection to a proxy lead to a host, without sockets.
protocol Tunnel {
  /// The message to send before the proxy's next response is read; never empty.
  var request: [UInt8] { get }

  /// Reads the proxy's response. After `.wait` the caller passes the unconsumed bytes again, with
  /// more appended.
  mutating func read(_ input: RawSpan) -> (consumed: Int, action: TunnelAction)

  /// Returns the failure for a connection that the proxy has closed, or that was lost for a
  /// `reason`.
  func connectionEnded(_ reason: String?) -> TunnelAction
}

enum TunnelAction: Equatable {
  /// Wait for more input.
  case wait
  /// Send `request`, which is another message now.
  case send
  /// The connection leads to the host from now on.
  case open
  case fail(TransportError.Code, String)
}

extension ProxyServer {
  /// Whether requests for URLs of the scheme go to the proxy itself, in absolute form (RFC 9112
  /// §3.2.2). All other requests go to the origin through a tunnel.
  func forwards(_ scheme: HTTPURL.Scheme) -> Bool { kind == .http && scheme == .http }
}

extension HTTPURL.Origin {
  /// The host and the port, with brackets around an IPv6 address (RFC 9112 §3.2.3).
  var hostAndPort: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
