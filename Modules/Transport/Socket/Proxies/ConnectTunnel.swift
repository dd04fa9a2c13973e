import HTTP1
import Models
import Transport

/// A tunnel through an HTTP proxy to an https host: CONNECT and its response (RFC 9110 §9.3.6).
struct ConnectTunnel: Tunnel {
  let request: [UInt8]
  private let proxy: ProxyServer
  private let target: String
  private var parser: ResponseParser

  init(
    _ proxy: ProxyServer, to origin: HTTPURL.Origin, userAgent: String, limits: HeadLimits
  ) throws(HTTPParseError) {
    self.proxy = proxy
    target = origin.hostAndPort
    var fields = HTTPFields()
    fields.append("Host", target)
    fields.append("User-Agent", userAgent)
    if let credentials = proxy.credentials {
      fields.append("Proxy-Authorization", credentials.fieldValue)
    }
    request = try RequestSerializer.bytes(
      RequestHeadMessage(method: "CONNECT", target: target, fields: fields))
    parser = ResponseParser(limits: limits)
  }

  mutating func read(_ input: RawSpan) -> (consumed: Int, action: TunnelAction) {
    let consumed: Int
    let status: Int
    do throws(HTTPParseError) {
      let (count, step) = try parser.parse(input)
      guard case .head(let message) = step else { return (count, .wait) }
      (consumed, status) = (count, message.status)
    } catch {
      return (0, .fail(.protocolViolation, "the proxy \(proxy): \(error.detail)"))
    }
    guard (200..<300).contains(status) else { return (consumed, refused(status)) }
    // In TLS the client speaks first, and a response to CONNECT has no body regardless of its
    // fields, so further bytes are a violation.
    guard consumed == input.byteCount else {
      return (consumed, .fail(.protocolViolation, "the proxy \(proxy) sent unexpected data"))
    }
    return (consumed, .open)
  }

  func connectionEnded(_ reason: String?) -> TunnelAction {
    .fail(
      .connectionLost,
      "the proxy \(proxy) closed the connection to \(target)" + (reason.map { ": \($0)" } ?? ""))
  }

  private func refused(_ status: Int) -> TunnelAction {
    if status == 407 { return .fail(.proxy, proxy.credentialsRequiredText) }
    // A proxy that cannot reach the host or is overloaded may succeed later.
    let code: TransportError.Code = status >= 500 ? .connectionLost : .proxy
    return .fail(code, "the proxy \(proxy) does not connect to \(target) (HTTP \(status))")
  }
}

extension ProxyServer {
  var credentials: BasicCredentials? {
    user.map { BasicCredentials(user: $0, password: password) }
  }

  var credentialsRequiredText: String {
    user == nil
      ? "the proxy \(self) requires a user name and a password (HTTP 407)"
      : "the proxy \(self) does not accept the user and the password (HTTP 407)"
  }
}
