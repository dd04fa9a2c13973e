public import Models

/// The reason why an exchange failed, with the context that lets a user act.
public struct TransportError: Error, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The name could not be resolved.
    case dns
    case connectionRefused
    case connectTimeout
    case idleTimeout
    case totalTimeout
    /// The transfer was slower than the minimum speed for too long.
    case lowSpeed
    /// The connection was lost: reset, unreachable, or closed before a response.
    case connectionLost
    /// The body ended before its declared end.
    case truncated
    /// The server violated HTTP.
    case protocolViolation
    /// The proxy refused the request or failed to serve it.
    case proxy
    /// The certificate is not trusted, names another host or has expired, or TLS itself failed.
    case tls
    case tooManyRedirects
    /// A redirect has no `Location`, or an unusable one.
    case badRedirect
    /// A redirect leads to another origin, which the request does not permit.
    case redirectNotPermitted
    /// The request cannot be serialized, for example because a field contains a line break.
    case invalidRequest
    /// The address policy forbids the address.
    case addressRefused
    /// A limit of the request was exceeded.
    case limitExceeded
    /// The sink could not store the bytes.
    case sink
    case cancelled
    /// The adapter's helper program died during this transfer or cannot be started.
    case helperDied
    /// The process has no descriptors or memory left, or a system call failed unexpectedly.
    case system
  }

  public let code: Code
  public let url: HTTPURL
  /// One sentence for users, never empty. Control characters are escaped; field values are not
  /// included.
  public let detail: String
  /// The number of body bytes that reached the sink before the failure.
  public let bytesDelivered: Int64
  public let sinkError: SinkError?

  public init(
    _ code: Code, url: HTTPURL, detail: String, bytesDelivered: Int64 = 0,
    sinkError: SinkError? = nil
  ) {
    self.code = code
    self.url = url
    self.detail = detail.isEmpty ? code.sentence : detail
    self.bytesDelivered = bytesDelivered
    self.sinkError = sinkError
  }

  public var description: String { detail }

  /// Whether the same request may succeed later.
  public var isRetryable: Bool {
    switch code {
    case .dns, .connectionRefused, .connectTimeout, .idleTimeout, .totalTimeout, .connectionLost,
      .truncated, .protocolViolation, .helperDied, .system:
      true
    // A slow transfer is not repeated, because another attempt would be as slow; the user's `retry`
    // continues from the partial file.
    case .lowSpeed, .proxy, .tls, .tooManyRedirects, .badRedirect, .redirectNotPermitted,
      .invalidRequest, .addressRefused, .limitExceeded, .sink, .cancelled:
      false
    }
  }
}

extension TransportError.Code {
  /// The sentence for an error without a detail of its own.
  public var sentence: String {
    switch self {
    case .dns: "the name of the server cannot be resolved"
    case .connectionRefused: "the server refused the connection"
    case .connectTimeout: "the server did not accept the connection in time"
    case .idleTimeout: "the server stopped sending"
    case .totalTimeout: "the transfer exceeded its maximum time"
    case .lowSpeed: "the transfer was too slow for too long"
    case .connectionLost: "the connection to the server was lost"
    case .truncated: "the response ended before its declared length"
    case .protocolViolation: "the server violated HTTP"
    case .proxy: "the proxy did not establish the connection"
    case .tls: "the connection to the server is not secure"
    case .tooManyRedirects: "the server redirects too often"
    case .badRedirect: "the server redirects to an unusable URL"
    case .redirectNotPermitted: "the server redirects to a URL that is not permitted"
    case .invalidRequest: "the request cannot be sent as it is"
    case .addressRefused: "the address of the server is not allowed"
    case .limitExceeded: "the response exceeds a limit of the settings"
    case .sink: "the response cannot be stored"
    case .cancelled: "the transfer was cancelled"
    case .helperDied: "the helper program of the transfer died"
    case .system: "the system refused a call that the transfer needs"
    }
  }
}
