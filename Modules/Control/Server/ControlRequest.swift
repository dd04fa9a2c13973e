import HTTP1
import Models

/// A complete request within the limits.
struct ControlRequest: Sendable, Equatable {
  let method: String
  let target: RequestTarget
  let fields: HTTPFields
  var body: [UInt8]
  /// The file with the body of a request that uploads one; `body` is empty then.
  var upload: UploadedFile?
  /// Whether the connection stays open for further requests.
  let keepsConnection: Bool
  let listener: ListenerKind

  var isHead: Bool { method == "HEAD" }
  /// Whether the method changes nothing (RFC 9110 §9.2.1).
  var isSafe: Bool { method == "GET" || method == "HEAD" }
}
