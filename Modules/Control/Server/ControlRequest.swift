import HTTP1
import Models

/// A request that has come whole and is within the limits.
struct ControlRequest: Sendable {
  let method: String
  let target: RequestTarget
  let fields: HTTPFields
  let body: [UInt8]
  /// Whether the client waits for another answer on this connection.
  let keepsConnection: Bool

  var isHead: Bool { method == "HEAD" }
}
