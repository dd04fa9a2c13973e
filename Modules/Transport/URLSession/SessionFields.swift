import HTTP1
import Models
import Transport

/// The fields of a request as passed to URLSession. libcurl adds `Host` and `Accept`.
enum SessionFields {
  /// The fields that frame the message, which the caller cannot set.
  private static let reservedNames = [
    "Host", "Accept-Encoding", "Connection", "Keep-Alive", "Content-Length", "Transfer-Encoding",
    "TE", "Trailer", "Upgrade", "Expect", "Proxy-Connection",
  ]

  static func fieldsToSend(_ fields: HTTPFields, userAgent: String) -> HTTPFields {
    var result = fields
    for name in reservedNames { result.remove(name) }
    // Without a content coding, ranges and lengths refer to the bytes of the file itself.
    result.append("Accept-Encoding", "identity")
    if result["User-Agent"] == nil { result.append("User-Agent", userAgent) }
    return result
  }

  /// Throws if the request cannot be serialized; libcurl would send a line break in a field value
  /// unchanged.
  static func check(_ request: TransportRequest) throws(TransportError) {
    do throws(HTTPParseError) {
      _ = try RequestSerializer.bytes(
        RequestHeadMessage(method: "GET", target: request.url.target, fields: request.fields))
    } catch {
      throw TransportError(.invalidRequest, url: request.url, detail: error.detail)
    }
  }

  /// Returns the reason why the host of a hop cannot be requested; nil if it can. URLSession on
  /// Linux rejects IPv6 addresses in URLs (swift-corelibs-foundation #5496), and an address that
  /// the policy forbids need not be tried.
  static func check(
    _ url: HTTPURL, _ policy: AddressPolicy
  ) -> (code: TransportError.Code, detail: String)? {
    if let address = IPAddress(url.host), !policy.allows(address) {
      return (.addressRefused, "\(url.host) is not a public address")
    }
    guard url.host.contains(":") else { return nil }
    return (
      .invalidRequest,
      "URLSession does not support IPv6 addresses in URLs; use the socket transport"
    )
  }
}
