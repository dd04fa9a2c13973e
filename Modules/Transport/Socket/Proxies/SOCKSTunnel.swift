import Models
import Transport

/// A tunnel through a SOCKS proxy of version 5 (RFC 1928), with a user name and a password if the
/// user gives them (RFC 1929). The proxy gets the name of the host, and resolves it.
///
/// The proxy speaks only in answers of at most 262 bytes.
struct SOCKSTunnel: Tunnel {
  /// The answer that is expected.
  private enum Phase {
    case method, credentials, connection
  }

  /// The reason why a host cannot be named to a proxy.
  struct NameTooLong: Error {}

  private static let version: UInt8 = 5
  /// The version of the negotiation of RFC 1929.
  private static let credentialsVersion: UInt8 = 1
  private static let noMethod: UInt8 = 0
  private static let credentialsMethod: UInt8 = 2
  private static let noAcceptableMethod: UInt8 = 0xff

  private(set) var request: [UInt8]
  private var phase = Phase.method
  private let proxy: ProxyServer
  /// The host and port as messages show them.
  private let target: String
  private let connect: [UInt8]

  init(_ proxy: ProxyServer, to origin: HTTPURL.Origin) throws(NameTooLong) {
    self.proxy = proxy
    target = origin.hostAndPort
    connect = try Self.connect(to: origin)
    let methods = proxy.user == nil ? [Self.noMethod] : [Self.noMethod, Self.credentialsMethod]
    request = [Self.version, UInt8(truncatingIfNeeded: methods.count)] + methods
  }

  /// Composes the request to connect (RFC 1928 §4, §5).
  private static func connect(to origin: HTTPURL.Origin) throws(NameTooLong) -> [UInt8] {
    let address: [UInt8]
    switch IPAddress(origin.host) {
    case let numeric? where numeric.family == .v4: address = [AddressType.v4] + numeric.bytes
    case let numeric?: address = [AddressType.v6] + numeric.bytes
    case nil:
      guard let length = UInt8(exactly: origin.host.utf8.count) else { throw NameTooLong() }
      address = [AddressType.name, length] + origin.host.utf8
    }
    let port = UInt16(truncatingIfNeeded: origin.port)
    return [version, 1, 0] + address + [UInt8(port >> 8), UInt8(port & 0xff)]
  }

  private enum AddressType {
    static let v4: UInt8 = 1
    static let name: UInt8 = 3
    static let v6: UInt8 = 4
  }

  mutating func read(_ input: RawSpan) -> (consumed: Int, action: TunnelAction) {
    let bytes = input.withUnsafeBytes { Array($0.prefix(Self.longestAnswer + 1)) }
    guard let action = answer(bytes) else { return (0, .wait) }
    return (input.byteCount, action)
  }

  private static let longestAnswer = 4 + 1 + 255 + 2

  /// Returns the action for a complete answer; nil for the beginning of one.
  private mutating func answer(_ bytes: [UInt8]) -> TunnelAction? {
    guard let first = bytes.first else { return nil }
    let expected = phase == .credentials ? Self.credentialsVersion : Self.version
    guard first == expected else {
      return violation("is not a SOCKS5 proxy, or violates the protocol")
    }
    guard bytes.count >= 2 else { return nil }
    switch phase {
    case .method: return bytes.count == 2 ? select(method: bytes[1]) : surplus
    case .credentials:
      guard bytes[1] == 0 else {
        return .fail(.proxy, "\(name) does not accept the user and the password")
      }
      return bytes.count == 2 ? send(connect, .connection) : surplus
    case .connection: return connected(bytes)
    }
  }

  private mutating func select(method: UInt8) -> TunnelAction {
    switch (method, proxy.user) {
    case (Self.noMethod, _): return send(connect, .connection)
    case (Self.credentialsMethod, let user?):
      let (user, password) = (Array(user.utf8), Array(proxy.password.utf8))
      // `ProxyServer` has checked both lengths.
      return send(
        [Self.credentialsVersion, UInt8(truncatingIfNeeded: user.count)] + user
          + [UInt8(truncatingIfNeeded: password.count)] + password, .credentials)
    // Some proxies select the method although it was not offered.
    case (Self.credentialsMethod, nil):
      return .fail(.proxy, "\(name) requires a user name and a password")
    case (Self.noAcceptableMethod, nil):
      return .fail(.proxy, "\(name) requires a user name and a password, or refuses this machine")
    case (Self.noAcceptableMethod, _):
      return .fail(.proxy, "\(name) accepts no user name and password, or refuses this machine")
    default:
      return violation("selected the authentication method \(method), which was not offered")
    }
  }

  private mutating func send(_ message: [UInt8], _ phase: Phase) -> TunnelAction {
    request = message
    self.phase = phase
    return .send
  }

  /// Handles the reply to the request to connect (RFC 1928 §6).
  private func connected(_ bytes: [UInt8]) -> TunnelAction? {
    guard bytes[1] == 0 else { return refused(bytes[1]) }
    guard bytes.count >= 5 else { return nil }
    let addressLength: Int
    switch bytes[3] {
    case AddressType.v4: addressLength = 4
    case AddressType.v6: addressLength = 16
    case AddressType.name: addressLength = 1 + Int(bytes[4])
    default: return violation("sent an address of the unknown type \(bytes[3])")
    }
    let length = 4 + addressLength + 2
    guard bytes.count >= length else { return nil }
    // The client speaks first, in TLS and in HTTP.
    return bytes.count == length ? .open : surplus
  }

  private func refused(_ reply: UInt8) -> TunnelAction {
    let (code, words): (TransportError.Code, String) =
      switch reply {
      // A failure may pass, except for a refusal of the proxy itself.
      case 1: (.connectionLost, "general failure")
      case 2: (.proxy, "not allowed by its rules")
      case 3: (.connectionLost, "network unreachable")
      case 4: (.connectionLost, "host unreachable")
      case 5: (.connectionRefused, "connection refused")
      case 6: (.connectionLost, "TTL expired")
      case 7: (.proxy, "command not supported")
      case 8: (.proxy, "address type not supported")
      default: (.proxy, "unknown reason")
      }
    return .fail(code, "\(name) does not connect to \(target): \(words) (SOCKS reply \(reply))")
  }

  func connectionEnded(_ reason: String?) -> TunnelAction {
    .fail(
      .connectionLost,
      "\(name) closed the connection to \(target)" + (reason.map { ": \($0)" } ?? ""))
  }

  private var name: String { "the SOCKS proxy \(proxy)" }

  private func violation(_ words: String) -> TunnelAction {
    .fail(.protocolViolation, "\(name) \(words)")
  }

  private var surplus: TunnelAction { violation("sent unexpected data") }
}
