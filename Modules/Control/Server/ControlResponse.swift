import Glibc
import HTTP1
import Models

/// What a handler answers with.
enum ControlAnswer: Sendable {
  case whole(ControlResponse)
  case file(FileAnswer)
  /// Goes on until one side ends the connection.
  case stream(EventQuery)
}

/// A response that is there as a whole.
struct ControlResponse: Sendable, Equatable {
  var status: Int
  var fields: HTTPFields
  var body: [UInt8]

  /// Done, and there is nothing to say about it.
  static let nothing = ControlResponse(status: 204, fields: HTTPFields(), body: [])

  static func json(
    _ message: some Encodable, status: Int = 200
  ) throws(ControlError) -> ControlResponse {
    ControlResponse(
      status: status, fields: HTTPFields(["Content-Type": "application/json"]),
      body: try JSONText.encode(message))
  }

  static func problem(_ problem: ProblemMessage) -> ControlResponse {
    ControlResponse(
      status: problem.status, fields: HTTPFields(["Content-Type": "application/problem+json"]),
      body: (try? JSONText.encode(problem)) ?? [])
  }

  /// - Parameters:
  ///   - hasBody: false for the answer to HEAD, which still says how long the body is.
  ///   - keepsConnection: whether another request may follow.
  func bytes(hasBody: Bool, keepsConnection: Bool) -> [UInt8] {
    var fields = fields
    // RFC 9110 §8.6: not where the status says that there is none.
    if status != 204 && status != 304 { fields.append("Content-Length", "\(body.count)") }
    var output = Self.head(status, fields, keepsConnection: keepsConnection)
    if hasBody { output += body }
    return output
  }

  /// The head of a file, which follows.
  static func head(_ answer: FileAnswer, keepsConnection: Bool) -> [UInt8] {
    var fields = answer.fields
    fields.append("Content-Length", "\(answer.file.length)")
    return head(200, fields, keepsConnection: keepsConnection)
  }

  /// The head of an event stream, which ends with the connection.
  static var eventStreamHead: [UInt8] {
    head(
      200, HTTPFields(["Content-Type": "text/event-stream"]), keepsConnection: false)
  }

  /// The client may send the body.
  static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  private static func head(
    _ status: Int, _ fields: HTTPFields, keepsConnection: Bool
  ) -> [UInt8] {
    var fields = fields
    fields.append("Date", HTTPDate.format(Int64(time(nil))))
    if fields["Cache-Control"] == nil { fields.append("Cache-Control", "no-store") }
    fields.append("X-Content-Type-Options", "nosniff")
    if !keepsConnection { fields.append("Connection", "close") }
    // Everything in it is ours, so nothing can be refused.
    return (try? ResponseSerializer.bytes(ResponseHeadMessage(status: status, fields: fields)))
      ?? []
  }
}
