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

  /// The servers with which HTTP/2 is spoken.
  public enum HTTP2Use: String, Sendable, CaseIterable {
    case off
    /// HTTP/2 is offered in TLS, and the server chooses (RFC 9113 §3.2).
    case auto
    /// Without TLS too: the servers are known to speak it (RFC 9113 §3.3).
    case priorKnowledge = "prior-knowledge"
  }

  /// Event loops, each a thread.
  public var loopCount = 2
  /// Connections to one origin at one time, idle ones included.
  public var connectionsPerOrigin = 16
  /// Connections to all origins at one time, over all loops, idle ones and those being made included.
  public var connections = 256
  /// Idle connections to all origins, per loop; the oldest is closed for a new one.
  public var idleConnections = 128
  /// Seconds that an idle connection is kept. Servers commonly close after 5 to 75.
  public var idleSeconds = 30.0
  public var userAgent = "imgdl"
  /// Path of a PEM file of the CA certificates to trust; empty: the system's.
  public var authorities = ""
  /// Path of a PEM file of the client certificate, sent to every server that requests one; empty: none.
  public var certificate = ""
  /// Path of the PEM file of the client certificate's key; empty: the key is in the certificate's file.
  public var privateKey = ""
  /// Accept any certificate of any name.
  public var isInsecure = false
  public var addressFamily = AddressFamily.any
  public var http2 = HTTP2Use.auto
  /// Bytes per second that are read, over all transfers; 0: no limit.
  public var bytesPerSecond = 0
  public var proxies = ProxyRules.none
  var names = NameOptions()
  /// Bytes of a response's header section.
  public var headerBytes = 65_536
  /// Fields of a response's header section.
  public var headerFields = 256
  /// Bytes of the fields behind the last chunk.
  public var trailerBytes = 4_096
  /// Digits of the size of one chunk.
  public var chunkSizeDigits = 16

  /// The DNS servers that are asked; empty: the system's servers.
  public var dnsServers: [IPEndpoint] {
    get { names.servers }
    set { names.servers = newValue }
  }

  public init() {}

  public init(_ network: Settings.Network) {
    // How many a host may have is decided by who asks, and changes while it runs.
    connectionsPerOrigin = 1_024
    connections = network.connections
    userAgent = network.userAgent
    authorities = network.caFile
    certificate = network.certificate
    privateKey = network.privateKey
    isInsecure = network.insecure
    proxies = ProxyRules(network)
    addressFamily = AddressFamily(rawValue: network.addressFamily) ?? .any
    http2 = HTTP2Use(rawValue: network.http2) ?? .auto
    bytesPerSecond = network.limitRate
    // The settings have refused texts that are no endpoints.
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
