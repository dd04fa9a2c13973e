import HTTP1
import Models

/// The kind of the listener through which a request came. It decides about the checks and the routes.
enum ListenerKind: Sendable, Hashable {
  /// The Unix domain socket, which serves processes of the library's user.
  case unixSocket
  /// The TCP port on the loopback interface, which serves browsers and scripts.
  case loopback
}

/// A complete request within the limits.
struct ControlRequest: Sendable {
  let method: String
  let target: RequestTarget
  let fields: HTTPFields
  let body: [UInt8]
  /// Whether the connection stays open for further requests.
  let keepsConnection: Bool
  let listener: ListenerKind

  var isHead: Bool { method == "HEAD" }
  /// Whether the method changes nothing (RFC 9110 §9.2.1).
  var isSafe: Bool { method == "GET" || method == "HEAD" }
}
