public import Models

/// Decides whether a URL is requested through a proxy, and through which one.
public struct ProxyRules: Sendable, Equatable {
  private let http: ProxyServer?
  private let https: ProxyServer?
  private let exceptions: [ProxyException]

  public static let none = ProxyRules(http: nil, https: nil, exceptions: [])

  /// - Parameter exceptions: The hosts that are requested directly, in the forms of
  ///   `ProxyException`. A text in another form matches no host.
  public init(http: ProxyServer?, https: ProxyServer?, exceptions: [String]) {
    self.http = http
    self.https = https
    self.exceptions = exceptions.compactMap { ProxyException($0) }
  }

  public init(_ network: Settings.Network) {
    self.init(
      http: network.httpProxy.isEmpty ? nil : try? ProxyServer(network.httpProxy),
      https: network.httpsProxy.isEmpty ? nil : try? ProxyServer(network.httpsProxy),
      exceptions: network.noProxy)
  }

  public func proxy(for url: HTTPURL) -> ProxyServer? {
    guard let proxy = url.scheme == .http ? http : https else { return nil }
    return exceptions.contains { $0.matches(url.origin) } ? nil : proxy
  }
}

/// A host that is requested directly, in the forms of `no_proxy` and curl's `--noproxy`: `*` for
/// every host, `example.org` or `.example.org` for a domain with its subdomains, a numeric address,
/// or a prefix such as `10.0.0.0/8`. A port may follow a name or an IPv4 address.
struct ProxyException: Sendable, Equatable {
  private enum Pattern: Sendable, Equatable {
    case all
    case name(String)
    case prefix(IPAddress, length: Int)
  }

  private let pattern: Pattern
  private let port: Int?

  init?(_ text: String) {
    var text = text.filter { $0 != " " }.lowercased()
    guard !text.isEmpty else { return nil }
    if text == "*" {
      pattern = .all
      port = nil
      return
    }
    if let prefix = Self.prefix(text) {
      pattern = prefix
      port = nil
      return
    }
    if let endpoint = IPEndpoint(text, defaultPort: 0) {
      pattern = .prefix(endpoint.address, length: endpoint.address.bytes.count * 8)
      port = endpoint.port == 0 ? nil : endpoint.port
      return
    }
    if let colon = text.lastIndex(of: ":") {
      guard let number = Int(text[text.index(after: colon)...]) else { return nil }
      port = number
      text = String(text[..<colon])
    } else {
      port = nil
    }
    while text.first == "." || text.hasPrefix("*.") { text.removeFirst() }
    if text.last == "." { text.removeLast() }
    guard !text.isEmpty else { return nil }
    pattern = .name(text)
  }

  func matches(_ origin: HTTPURL.Origin) -> Bool {
    guard port == nil || port == origin.port else { return false }
    switch pattern {
    case .all: return true
    case .name(let name):
      let host = origin.host.last == "." ? String(origin.host.dropLast()) : origin.host
      return host == name || host.hasSuffix(".\(name)")
    case .prefix(let address, let length):
      guard let host = IPAddress(origin.host), host.family == address.family else { return false }
      let shift = UInt128(host.bytes.count * 8 - length)
      return host.bits >> shift == address.bits >> shift
    }
  }

  private static func prefix(_ text: String) -> Pattern? {
    guard let slash = text.firstIndex(of: "/"), let address = IPAddress(text[..<slash]),
      let length = Int(text[text.index(after: slash)...]), length >= 0,
      length <= address.bytes.count * 8
    else { return nil }
    return .prefix(address, length: length)
  }
}
