import Glibc
import HTTP1
import Models

/// The result of a handler.
enum ControlReply: Sendable {
  case whole(ControlResponse)
  case file(FileResponse)
  /// An event stream, which lasts until one side closes the connection.
  case stream(EventQuery)
}

/// A response whose body is in memory.
struct ControlResponse: Sendable, Equatable {
  var status: Int
  var fields: HTTPFields
  var body: [UInt8]

  /// An empty success response.
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
  ///   - hasBody: Whether to include the body. False for the response to HEAD, whose head still states the
  ///     length of the body.
  ///   - keepsConnection: Whether the connection stays open for another request.
  func bytes(hasBody: Bool, keepsConnection: Bool) -> [UInt8] {
    var fields = fields
    // RFC 9110 §8.6: a 204 response must not have Content-Length, and a 304 response need not have it.
    if status != 204 && status != 304 { fields.append("Content-Length", "\(body.count)") }
    var output = Self.head(status, fields, keepsConnection: keepsConnection)
    if hasBody { output += body }
    return output
  }

  /// Returns the head of a response whose body is a file, sent separately.
  static func head(_ response: FileResponse, keepsConnection: Bool) -> [UInt8] {
    var fields = response.fields
    fields.append("Content-Length", "\(response.part.count)")
    return head(response.status, fields, keepsConnection: keepsConnection)
  }

  /// The head of an event stream. Closing the connection marks the end of the body.
  static func eventStreamHead(_ listener: ListenerKind) -> [UInt8] {
    var fields = HTTPFields(["Content-Type": "text/event-stream"])
    if listener == .loopback {
      for (name, value) in ProtectiveFields.api { fields.append(name, value) }
    }
    return head(200, fields, keepsConnection: false)
  }

  /// The interim response after which the client sends the body.
  static let continueHead = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  private static func head(
    _ status: Int, _ fields: HTTPFields, keepsConnection: Bool
  ) -> [UInt8] {
    var fields = fields
    fields.append("Date", HTTPDate.format(Int64(time(nil))))
    if fields["Cache-Control"] == nil { fields.append("Cache-Control", "no-store") }
    fields.append("X-Content-Type-Options", "nosniff")
    if !keepsConnection { fields.append("Connection", "close") }
    // All fields are generated here and valid, so serialising cannot fail.
    return (try? ResponseSerializer.bytes(ResponseHeadMessage(status: status, fields: fields)))
      ?? []
  }
}
