public import Models

/// One GET, with everything that bounds it.
public struct TransportRequest: Sendable {
  public var url: HTTPURL
  /// Fields beside those that the transport writes itself (`Host`, `User-Agent`, `Accept-Encoding:
  /// identity`, `Connection`). `Authorization`, `Cookie` and everything the caller gave is dropped
  /// when a redirect leaves the origin; `Range` and `If-Range` stay within it.
  public var fields: HTTPFields
  public var limits: TransferLimits
  /// Which addresses every hop of the exchange may connect to. There is no default: the caller
  /// states what the origin of its URL allows, so that no request can go around the policy.
  public let addresses: AddressPolicy
  /// The cookies and passwords of the user's files, at each hop for that hop's URL.
  public var credentials = Credentials.none
  /// Whether the answer may be coded with gzip, which the sink then has to undo. A transport that
  /// decodes by itself requests no coding all the same.
  public var acceptsGzip = false

  public init(
    url: HTTPURL, fields: HTTPFields = HTTPFields(), limits: TransferLimits = TransferLimits(),
    addresses: AddressPolicy
  ) {
    self.url = url
    self.fields = fields
    self.limits = limits
    self.addresses = addresses
  }
}

/// Bounds of one transfer. Times in seconds; 0 means none.
public struct TransferLimits: Sendable, Equatable {
  /// The time until the connection is ready, TLS included.
  public var connectTimeout = 10.0
  /// The time without a byte in either direction.
  public var idleTimeout = 30.0
  public var totalTimeout = 0.0
  /// Bytes per second below which the transfer fails, if it is slower for `lowSpeedTime`; 0 means none.
  public var lowSpeed = 0
  public var lowSpeedTime = 60.0
  public var maxRedirects = 10
  /// Bytes of the body as delivered to the sink.
  public var maxBodyBytes = Int64.max

  public init() {}
}
