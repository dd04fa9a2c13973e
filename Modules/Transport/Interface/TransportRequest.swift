public import Models

/// One GET request with its limits.
public struct TransportRequest: Sendable {
  public var url: HTTPURL
  /// The caller's fields, besides those that the transport adds (`Host`, `Accept-Encoding` and, if
  /// missing, `User-Agent` and `Accept`). All of them are dropped when a redirect leaves the
  /// origin; a redirect within the origin keeps them, also `Range` and `If-Range`.
  public var fields: HTTPFields
  public var limits: TransferLimits
  /// The addresses to which every hop of the exchange may connect. There is no default, so that no
  /// request bypasses the policy: the caller derives it from the origin of its URL.
  public let addresses: AddressPolicy
  /// The cookies and passwords of the user's files and the signer, looked up for the URL of each hop.
  /// nil for none.
  public var credentials: Credentials?
  /// The cookies that servers set, which the transport adds to each hop and keeps of each response; nil if cookies of
  /// servers are ignored.
  public var cookies: CookieJar?
  /// The URLs to which redirects may lead; nil for all. A redirect to another one ends the
  /// transfer with the code `redirectNotPermitted`, whose URL is the one that the redirect names.
  public var permittedRedirects: Set<HTTPURL>?
  /// The value of `Accept-Encoding`: `identity`, or content codings that the sink decodes. A
  /// transport that decodes by itself still requests no coding.
  public var acceptEncoding = "identity"
  /// Whether an earlier response has named the URL, by a redirect or a link. The request is then
  /// never signed, like the hops behind a redirect.
  public var isNamedByResponse = false
  /// Whether a response of another origin than that of the URL has named it, so that it gets no password that is
  /// meant for the origin of the user's URL.
  public var hasLeftOrigin = false

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

/// The limits of one transfer. Times are in seconds; 0 means no limit.
public struct TransferLimits: Sendable, Equatable {
  /// The maximum time until the connection is ready, TLS handshake included.
  public var connectTimeout = 10.0
  /// The maximum time without a byte in either direction.
  public var idleTimeout = 30.0
  public var totalTimeout = 0.0
  /// The minimum speed in bytes per second; a transfer that is slower for `lowSpeedTime` fails. 0
  /// means no minimum.
  public var lowSpeed = 0
  public var lowSpeedTime = 60.0
  public var maxRedirects = 10
  /// The maximum rate at which the body is read, in bytes per second; 0 means no limit. A transport may
  /// ignore the limit for connections that several transfers share (HTTP/2).
  public var bytesPerSecond = 0
  /// The maximum number of body bytes that are delivered to the sink.
  public var maxBodyBytes = Int64.max

  public init() {}
}
