import Models

/// The options of name resolution.
struct NameOptions: Sendable, Equatable {
  /// The servers to query instead of those in `/etc/resolv.conf`; empty means the system's servers.
  var servers: [IPEndpoint] = []
  /// The timeout of the first query to a server in milliseconds; doubles with each round over the
  /// servers.
  var milliseconds: Int32 = 2_000
  /// The number of rounds over the servers.
  var tries: Int32 = 3
  var limits = ResolverLimits()
  /// The path of the file with the system's servers.
  var configurationFile = "/etc/resolv.conf"
}
