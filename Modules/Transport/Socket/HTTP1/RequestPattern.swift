import HTTP1
import Models
import Transport

/// The parts that consecutive requests to an origin share: everything except the target. The shared
/// parts are composed, validated and serialized once for all these requests.
final class RequestPattern: Sendable {
  private let origin: HTTPURL.Origin
  private let callerFields: HTTPFields
  private let acceptEncoding: String
  private let proxy: ProxyServer?
  /// The fields of each request.
  let fields: HTTPFields
  private let lines: FieldLines

  /// - Parameter given: The caller's fields, which cannot replace the fields that frame the
  ///   message.
  init(
    _ origin: HTTPURL.Origin, _ given: HTTPFields, acceptEncoding: String, proxy: ProxyServer?,
    userAgent: String
  ) throws(HTTPParseError) {
    (self.origin, self.callerFields, self.acceptEncoding, self.proxy) = (
      origin, given, acceptEncoding, proxy
    )
    var fields = HTTPFields()
    fields.append("Host", origin.authority)
    fields.append("User-Agent", given["User-Agent"] ?? userAgent)
    fields.append("Accept", given["Accept"] ?? "*/*")
    fields.append("Accept-Encoding", acceptEncoding)
    if let proxy, proxy.forwards(origin.scheme), let credentials = proxy.credentials {
      fields.append("Proxy-Authorization", credentials.fieldValue)
    }
    given.forEach { name, value in
      if !Self.isReserved(name) { fields.append(name: name.bytes, value: value.bytes) }
    }
    self.fields = fields
    lines = try FieldLines(fields)
  }

  func serves(
    _ origin: HTTPURL.Origin, _ given: HTTPFields, acceptEncoding: String, proxy: ProxyServer?
  ) -> Bool {
    self.origin == origin && self.callerFields == given && self.acceptEncoding == acceptEncoding
      && self.proxy == proxy
  }

  /// Returns the head of a GET request as HTTP/1.1 serializes it. Serializing also validates the
  /// head for HTTP/2.
  func request(target: String) throws(HTTPParseError) -> [UInt8] {
    try RequestSerializer.bytes(method: "GET", target: target, lines)
  }

  private static func isReserved(_ name: Span<UInt8>) -> Bool {
    for own in reservedNames where HTTPFields.isSame(own.utf8.span, name) { return true }
    return false
  }

  private static let reservedNames = [
    "Host", "User-Agent", "Accept", "Accept-Encoding", "Connection", "Keep-Alive", "Content-Length",
    "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Expect", "Proxy-Connection",
    "Proxy-Authorization",
  ]
}
