/// A proxy: its protocol, its address and the credentials to send to it.
public struct ProxyServer: Hashable, Sendable {
  public enum Kind: String, Sendable {
    /// An HTTP proxy (RFC 9110 §3.7).
    case http
    /// A SOCKS proxy of version 5 (RFC 1928), which resolves the names of hosts.
    case socks5
  }

  public let kind: Kind
  /// A name or a numeric address in lower case, without brackets around IPv6.
  public let host: String
  public let port: Int
  /// The percent-decoded user name, or nil if no credentials are sent.
  public let user: String?
  public let password: String

  /// The port of a proxy whose URL has none, as in curl.
  public static let defaultPort = 1_080

  /// Parses `proxy.example:3128`, `http://proxy.example:3128/` and `socks5://user:password@proxy.example`.
  /// `socks5h`, with which other programs ask the proxy to resolve names, is the same as `socks5`.
  ///
  /// Errors never show the user or the password.
  public init(_ text: String) throws(HTTPURLError) {
    var rest = Substring(text)
    if let end = text.firstRange(of: "://") {
      let scheme = text[..<end.lowerBound].lowercased()
      guard let kind = Kind(rawValue: scheme == "socks5h" ? "socks5" : scheme) else {
        // A password may contain "://" as well.
        guard scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
          throw HTTPURLError("the scheme of the proxy's URL is not valid")
        }
        throw HTTPURLError(
          "proxies of the scheme \"\(scheme)\" are not supported; use http:// or socks5://")
      }
      self.kind = kind
      rest = text[end.upperBound...]
    } else {
      kind = .http
    }
    if let at = rest.lastIndex(of: "@") {
      let parts = rest[..<at].split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let user = PercentEncoding.decode(parts[0])
      let password = parts.count > 1 ? PercentEncoding.decode(parts[1]) : ""
      guard !(user + password).utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }),
        kind == .socks5 || !user.contains(":")
      else { throw HTTPURLError("its user or password has characters that cannot be sent") }
      guard kind == .http || Self.isSendableWithSOCKS(user, password) else {
        throw HTTPURLError("its user or password does not have 1 to 255 bytes")
      }
      self.user = user
      self.password = password
      rest = rest[rest.index(after: at)...]
    } else {
      user = nil
      password = ""
    }
    if rest.last == "/" { rest = rest.dropLast() }
    let origin = try HTTPURL("http://\(rest)")
    guard origin.target == "/", !rest.contains("/"), !rest.contains("?"), !rest.contains("#") else {
      throw HTTPURLError("a proxy has no path")
    }
    host = origin.host
    // HTTPURL does not distinguish a missing port from an explicit 80.
    port = Self.namesPort(rest) ? origin.port : Self.defaultPort
  }

  /// Whether RFC 1929 §2 can express the credentials. An empty password is common and accepted by servers.
  private static func isSendableWithSOCKS(_ user: String, _ password: String) -> Bool {
    (1...255).contains(user.utf8.count) && password.utf8.count <= 255
  }

  private static func namesPort(_ authority: Substring) -> Bool {
    let tail = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority
    return tail.contains(":")
  }
}

extension ProxyServer: CustomStringConvertible {
  /// The host and port, without user and password.
  public var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(name):\(port)"
  }
}
