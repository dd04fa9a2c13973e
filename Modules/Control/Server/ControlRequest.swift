import HTTP1
import Models

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
