import Models

/// A lookup of the addresses of a name in one family. The two families are separate lookups,
/// because their answers arrive and expire at different times (RFC 8305 §3).
struct AddressLookup: Hashable, Sendable {
  let name: String
  let family: IPAddress.Family

  /// The loopback address if the name is below `localhost`: such names are not looked up (RFC 6761 §6.3), as in
  /// browsers, and most servers do not know them. The name `localhost` itself may be in the hosts file.
  var loopback: ResolvedAddress? {
    guard name.hasSuffix(".localhost") || name.hasSuffix(".localhost.") || name == "localhost."
    else { return nil }
    let ip = family == .v4 ? IPAddress(v4: 0x7f00_0001) : IPAddress(v6: 1)
    return ResolvedAddress(ip: ip, scope: 0)
  }
}

/// One address of a name.
struct ResolvedAddress: Hashable, Sendable {
  let ip: IPAddress
  /// The scope (interface index) of a link-local IPv6 address; 0 for other addresses.
  let scope: UInt32
}

/// The result of a lookup.
struct AddressAnswer: Equatable, Sendable {
  let result: Result<[ResolvedAddress], ResolveError>
  /// The time to live of the addresses in nanoseconds; 0 for an error.
  let lifetime: UInt64

  init(_ addresses: [ResolvedAddress], lifetime: UInt64) {
    result = .success(addresses)
    self.lifetime = lifetime
  }

  init(_ error: ResolveError) {
    result = .failure(error)
    lifetime = 0
  }
}

/// The reason why a lookup has no address.
struct ResolveError: Error, Equatable, Sendable {
  enum Code: Sendable {
    /// The name does not exist.
    case notFound
    /// The name exists, but has no address of the family.
    case noAddress
    case timeout
    /// The server refused the query.
    case refused
    case serverFailure
    /// The response cannot be parsed.
    case malformed
    /// No server could be reached.
    case unreachable
    /// The text is not a valid name.
    case invalidName
    case stopped
    /// The system has no memory or descriptors left, or a file cannot be read.
    case system
  }

  let code: Code
  /// The reason as text for messages.
  let reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  /// Whether the failure is a property of the name, as opposed to the name server.
  var isAboutName: Bool {
    switch code {
    case .notFound, .noAddress, .invalidName: true
    default: false
    }
  }
}
