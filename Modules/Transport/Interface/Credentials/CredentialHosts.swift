public import Models

/// Hosts that the user permits to receive credentials, in the forms of `no_proxy`: names with their subdomains,
/// addresses, prefixes, and `*` for every host.
public struct CredentialHosts: Sendable, Equatable {
  private let patterns: [ProxyException]

  public init(_ texts: [String]) { patterns = texts.compactMap { ProxyException($0) } }

  public func contains(_ origin: HTTPURL.Origin) -> Bool {
    patterns.contains { $0.matches(origin) }
  }
}
