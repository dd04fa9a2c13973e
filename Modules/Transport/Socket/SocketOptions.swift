import HTTP1
public import Models
public import Transport

/// Options of the socket transport, apart from each request's own limits.
public struct SocketOptions: Sendable, Equatable {
  public enum AddressFamily: String, Sendable, CaseIterable {
    case any
    case v4 = "4"
    case v6 = "6"
  }

  /// The servers for which HTTP/2 is used.
  public enum HTTP2Use: String, Sendable, CaseIterable {
    case off
    /// HTTP/2 is offered during the TLS handshake, and the server chooses (RFC 9113 §3.2).
    case auto
    /// HTTP/2 is also used without TLS, on the assumption that every server supports it (RFC 9113
    /// §3.3).
    case priorKnowledge = "prior-knowledge"
  }

  /// The number of event loops, each of which has a thread.
  public var loopCount = 2
  /// The maximum number of connections to one origin, including idle ones.
  public var connectionsPerOrigin = 16
  /// The maximum number of connections to all origins, over all event loops, including idle ones
  /// and those being established.
  public var connections = 256
  /// The maximum number of idle connections per event loop; when there is one more, the connection
  /// that has been idle longest is closed.
  public var idleConnections = 128
  /// The time in seconds for which an idle connection is kept. Servers commonly close idle
  /// connections after 5 to 75 s.
  public var idleSeconds = 30.0
  public var userAgent = "imgdl"
  /// The path of a PEM file with the trusted CA certificates; empty means the system's
  /// certificates.
  public var authorities = ""
  /// The path of a PEM file with the client certificate, which is sent to every server that
  /// requests one; empty means none.
  public var certificate = ""
  /// The path of a PEM file with the private key of the client certificate; empty means that the
  /// certificate's file contains the key.
  public var privateKey = ""
  /// Whether certificates are accepted without verification.
  public var isInsecure = false
  public var addressFamily = AddressFamily.any
  public var http2 = HTTP2Use.auto
  /// The maximum rate over all transfers in bytes per second; 0 means no limit.
  public var bytesPerSecond = 0
  public var proxies = ProxyRules.none
  /// Whether hosts behind a SOCKS proxy are looked up on this machine, too, where the address policy
  /// forbids private addresses. If not, the policy judges their names only.
  public var looksUpBehindSOCKS = false
  var names = NameOptions()
  /// The maximum size of a response's header section in bytes.
  public var headerBytes = 262_144
  /// The maximum number of fields in a response's header section.
  public var headerFields = 256
  /// The maximum size of the trailer section in bytes.
  public var trailerBytes = 4_096
  /// The maximum number of hexadecimal digits of a chunk size.
  public var chunkSizeDigits = 16

  /// The DNS servers to query; empty means the system's servers.
  public var dnsServers: [IPEndpoint] {
    get { names.servers }
    set { names.servers = newValue }
  }

  public init() {}

  public init(_ network: Settings.Network) {
    // The engine's scheduler limits the connections per host, and that limit changes during a run;
    // the transport's own limit only has to be higher.
    connectionsPerOrigin = 1_024
    connections = network.connections
    userAgent = network.userAgent
    authorities = network.caFile
    certificate = network.certificate
    privateKey = network.privateKey
    isInsecure = network.insecure
    proxies = ProxyRules(network)
    looksUpBehindSOCKS = network.privateAddresses == .refuse
    addressFamily = AddressFamily(rawValue: network.addressFamily) ?? .any
    http2 = HTTP2Use(rawValue: network.http2) ?? .auto
    bytesPerSecond = network.limitRate
    // The schema of the settings has already rejected texts that are not endpoints, so none is
    // dropped here.
    dnsServers = network.dnsServers.compactMap { IPEndpoint($0, defaultPort: 53) }
    headerBytes = network.headerBytes
    headerFields = network.headerFields
    trailerBytes = network.trailerBytes
    chunkSizeDigits = network.chunkSizeDigits
  }

  var http2Limits: HTTP2Limits {
    HTTP2Limits(
      fieldBytes: max(1, headerBytes), fieldCount: max(1, headerFields),
      trailerBytes: max(2, trailerBytes))
  }

  var headLimits: HeadLimits {
    HeadLimits(
      maximumHeadBytes: max(1, headerBytes), maximumFields: max(1, headerFields),
      maximumTrailerBytes: max(2, trailerBytes), maximumChunkSizeDigits: max(1, chunkSizeDigits))
  }
}
