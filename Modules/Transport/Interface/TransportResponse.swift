public import Models

public struct ResponseHead: Sendable, Equatable {
  public let status: Int
  /// The URL that has answered: of the final response, the one at the end of the redirects.
  public let url: HTTPURL
  public let fields: HTTPFields
  /// The numeric address of the peer, or nil if the transport does not know it.
  public let remoteAddress: String?
  /// Whether a redirect on the way to `url` has left the origin of the request, even if a later one
  /// has led back to it. The caller's fields must then not be sent to `url`.
  public let hasLeftOrigin: Bool

  public init(
    status: Int, url: HTTPURL, fields: HTTPFields, remoteAddress: String? = nil,
    hasLeftOrigin: Bool = false
  ) {
    self.status = status
    self.url = url
    self.fields = fields
    self.remoteAddress = remoteAddress
    self.hasLeftOrigin = hasLeftOrigin
  }

  /// The value of `Content-Length`; nil if the field is missing or is not a plain decimal number.
  public var contentLength: Int64? {
    fields.withValue(of: "Content-Length") { $0.decimal } ?? nil
  }
}

public struct TransportResponse: Sendable {
  public enum Body: Sendable, Equatable {
    /// The whole body was delivered. `isLengthKnown` is false if only the end of the connection
    /// marked the end of the body.
    case complete(byteCount: Int64, isLengthKnown: Bool)
    case refused
  }

  public let head: ResponseHead
  public let body: Body
  public let timings: TransferTimings
  public let redirectCount: Int

  public init(head: ResponseHead, body: Body, timings: TransferTimings, redirectCount: Int = 0) {
    self.head = head
    self.body = body
    self.timings = timings
    self.redirectCount = redirectCount
  }
}
