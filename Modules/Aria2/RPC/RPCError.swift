import JSON

/// An error of JSON-RPC 2.0 (section 5.1), with the codes of aria2, and with its messages where clients compare
/// them. A message about the value of an option names the cause, in contrast to aria2's.
public struct RPCError: Error, Sendable, Equatable, CustomStringConvertible {
  public let code: Int
  /// A sentence for users; it contains no secret.
  public let message: String

  /// The error of a method, which aria2 gives the code 1.
  init(_ message: String) { self.init(code: 1, message) }

  init(code: Int, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }

  static func parseError(_ detail: String) -> RPCError {
    RPCError(code: -32700, "Parse error: \(detail).")
  }

  static let invalidRequest = RPCError(code: -32600, "Invalid Request.")
  /// The error of a message, whose calls are not performed. aria2 has no such limit, so no client compares it.
  static let tooLongBatch = RPCError(
    code: -32600, "Invalid Request. \(tooManyCalls.message)")
  /// The error of a call that exceeds the limit of its message.
  static let tooManyCalls = RPCError("A message has at most \(RPCMessage.countLimit) calls.")
  static let invalidParameters = RPCError(code: -32602, "Invalid params.")
  static let unauthorised = RPCError("Unauthorized")

  /// The status of the HTTP response to a single call, as aria2 chooses it.
  var httpStatus: Int {
    switch code {
    case 1, -32600: 400
    case -32601: 404
    default: 500
    }
  }

  var json: JSONValue { ["code": .integer(code), "message": .string(message)] }
}
