public import Models

/// The passwords of the setting `network.users`, by the servers that receive them.
public struct HostPasswords: Sendable {
  private var passwords: [HostPassword.Scope: BasicCredentials] = [:]

  /// - Parameter entries: Of several entries for the same servers, the last one takes precedence.
  public init(_ entries: [HostPassword]) {
    for entry in entries {
      passwords[entry.scope] = BasicCredentials(user: entry.user, password: entry.password)
    }
  }

  /// Returns these passwords, and those of `others` for servers that have none here.
  func over(_ others: HostPasswords?) -> HostPasswords {
    guard let others else { return self }
    var all = self
    all.passwords.merge(others.passwords) { own, _ in own }
    return all
  }

  /// Returns the password for a URL, or nil: that of its origin, else of its port, else of its host.
  func credentials(for url: HTTPURL) -> BasicCredentials? {
    passwords[.origin(url.origin)] ?? passwords[.port(url.port, host: url.host)]
      ?? passwords[.host(url.host)]
  }
}
