import HTTP1
import Models

/// A complete request that respects the server's limits.
struct ControlRequest: Sendable, Equatable {
  let method: String
  let target: RequestTarget
  let fields: HTTPFields
  var body: [UInt8]
  /// The uploaded file, if the body of the request was written to a file; `body` is empty then.
  var upload: UploadedFile?
  /// Whether the connection stays open for further requests.
  let keepsConnection: Bool
  let listener: ListenerKind
  /// The token that authenticates the client of the web page; nil for any other client.
  var token: AccessToken?

  var isHead: Bool { method == "HEAD" }
  /// Whether the method changes nothing (RFC 9110 §9.2.1).
  var isSafe: Bool { method == "GET" || method == "HEAD" }
}
