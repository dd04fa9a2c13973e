import HTTP1
import Models
import Transport

/// The fields of a request as URLSession gets them. libcurl adds `Host` and `Accept`.
enum RequestFields {
  /// The caller cannot set the fields that frame the message.
  private static let own = [
    "Host", "Accept-Encoding", "Connection", "Keep-Alive", "Content-Length", "Transfer-Encoding",
    "TE", "Trailer", "Upgrade", "Expect", "Proxy-Connection",
  ]

  static func sent(_ fields: HTTPFields, userAgent: String) -> HTTPFields {
    var result = fields
    for name in own { result.remove(name) }
    // Ranges and lengths mean the bytes of the file, not of a coding of it.
    result.append("Accept-Encoding", "identity")
    if result["User-Agent"] == nil { result.append("User-Agent", userAgent) }
    return result
  }

  /// Whether the request can be written at all: libcurl would send a line break as it is.
  static func check(_ request: TransportRequest) throws(TransportError) {
    do throws(HTTPParseError) {
      _ = try RequestSerializer.bytes(
        RequestHeadMessage(method: "GET", target: request.url.target, fields: request.fields))
    } catch {
      throw TransportError(.invalidRequest, url: request.url, detail: error.detail)
    }
  }

  /// Whether the host of a hop can be asked: URLSession takes no IPv6 address (#5496), and one that
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
      "URLSession cannot take an IPv6 address in a URL; the socket transport can"
    )
  }
}
