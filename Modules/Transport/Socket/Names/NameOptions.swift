import Models

/// How names are looked up.
struct NameOptions: Sendable, Equatable {
  /// Asked in place of those of `/etc/resolv.conf`; empty: the system's.
  var servers: [IPEndpoint] = []
  /// Milliseconds for the first try with a server; doubles with each round over the servers.
  var milliseconds: Int32 = 2_000
  /// Rounds over the servers.
  var tries: Int32 = 3
  var limits = ResolverLimits()
  /// The path of the file with the system's servers.
  var configurationFile = "/etc/resolv.conf"
}
