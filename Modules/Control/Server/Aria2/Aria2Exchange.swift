import Aria2
import HTTP1
import Models
import WebSocket

/// One request for the aria2 interface: calls over HTTP, or the handshake of a WebSocket. Runs on the
/// acceptor's actor.
struct Aria2Exchange {
  let client: ClientSocket
  let service: Aria2Service
  let checks: Aria2RequestChecks
  /// The check of the host; nil if the loopback listeners have been closed.
  let webChecks: WebRequestChecks?
  let options: ControlServer.Options
  let connections: OpenConnections

  /// Serves one request, or a WebSocket until it closes.
  /// - Returns: Whether the connection may serve another request.
  func serve(
    _ request: ControlRequest, _ stream: inout RequestStream
  ) async throws(ControlError) -> Bool {
    guard let webChecks else {
      throw ControlError(.notFound, "there is no such path")
    }
    let origin: String?
    do throws(ControlError) {
      try Self.checkHost(request, webChecks)
      origin = try checks.checkSender(request)
    } catch {
      if error.code == .forbidden, let origin = request.fields["Origin"] {
        await service.reportRefusal(ofOrigin: origin)
      }
      try await discardBody(&stream)
      throw error
    }
    switch request.method {
    case "POST":
      try checks.checkBodyType(request)
      let limit = Int64(options.bodyBytes)
      guard stream.bodyLength <= limit else {
        try await discardBody(&stream)
        throw .bodyTooLarge(limit)
      }
      guard let body = try await stream.body(isKept: true) else { return false }
      setPhase(.serving)
      let client = client
      let reply = await service.reply(
        to: body, from: .request(bearer: Aria2RequestChecks.bearer(request)),
        isGone: { await client.loop.hasInputEnded(client.id) })
      return await service.unsentReplies.send(reply) { reply in
        // aria2 closes the connection after an error, and clients rely on the status.
        let keeps = request.keepsConnection && reply.httpStatus == 200 && !connections.isStopping
        let response = Self.response(reply, allowing: origin)
        return await client.send(response.bytes(hasBody: true, keepsConnection: keeps)) && keeps
      }
    case "OPTIONS":
      guard try await stream.body(isKept: false) != nil else { return false }
      setPhase(.serving)
      let response = try Self.preflightResponse(to: request, allowing: origin)
      return await client.send(
        response.bytes(hasBody: true, keepsConnection: request.keepsConnection))
        && request.keepsConnection
    case "GET":
      guard try await stream.body(isKept: false) != nil else { return false }
      setPhase(.serving)
      await upgrade(request, unread: stream.takeUnread())
      return false
    default:
      throw ControlError(.methodNotAllowed, "this path supports GET, OPTIONS, POST")
    }
  }

  /// Checks that the request names this server as its host.
  private static func checkHost(
    _ request: ControlRequest, _ webChecks: WebRequestChecks
  ) throws(ControlError) {
    do throws(ControlError) {
      _ = try webChecks.checkHost(request)
    } catch {
      // The message of the web page names a login, which this interface does not have.
      throw ControlError(
        error.code,
        "the request names another host; use http://127.0.0.1:\(webChecks.origin.port)/jsonrpc")
    }
  }

  /// Reads the body of a refused request: the client reads the response only after it has sent the body.
  private func discardBody(_ stream: inout RequestStream) async throws(ControlError) {
    guard stream.bodyLength <= Self.discardedBytes, !stream.awaitsContinue else { return }
    _ = try await stream.body(isKept: false)
  }

  /// The maximum length of a body that is discarded in bytes. After a longer one, the connection is closed at once.
  private static let discardedBytes: Int64 = 64 << 20

  private static func response(_ reply: RPCReply, allowing origin: String?) -> ControlResponse {
    var response = ControlResponse(
      status: reply.httpStatus, fields: HTTPFields(["Content-Type": "application/json-rpc"]),
      body: reply.body)
    if let origin {
      response.fields.append("Access-Control-Allow-Origin", origin)
      response.fields.append("Vary", "Origin")
    }
    return response
  }

  /// Returns the response to a browser that asks whether a page of an allowed origin may call.
  private static func preflightResponse(
    to request: ControlRequest, allowing origin: String?
  ) throws(ControlError) -> ControlResponse {
    guard let origin else {
      throw ControlError(.methodNotAllowed, "this path supports GET, OPTIONS, POST")
    }
    var response = ControlResponse.nothing
    for (name, value) in [
      ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Methods", "POST"),
      ("Access-Control-Allow-Headers", "Authorization, Content-Type"),
      ("Access-Control-Max-Age", "600"), ("Vary", "Origin"),
    ] {
      response.fields.append(name, value)
    }
    // Chromium asks for a public page whether it may call a server of this machine (Private Network Access).
    if request.fields["Access-Control-Request-Private-Network"] == "true" {
      response.fields.append("Access-Control-Allow-Private-Network", "true")
    }
    return response
  }

  // MARK: - WebSocket

  /// Accepts or refuses a WebSocket, and serves it until it closes.
  private func upgrade(_ request: ControlRequest, unread: [UInt8]) async {
    let fields: HTTPFields
    do throws(WebSocketHandshake.Refusal) {
      fields = try WebSocketHandshake.accept(request.fields)
    } catch {
      let response = ControlResponse(
        status: error.status, fields: error.fields.appending("Content-Type", "text/plain"),
        body: Array("\(error.detail)\n".utf8))
      _ = await client.send(response.bytes(hasBody: true, keepsConnection: false))
      return
    }
    let admission = await service.admit(bearer: Aria2RequestChecks.bearer(request))
    if let error = Self.refusal(admission) {
      let response = ControlResponse.problem(ProblemMessage(error))
      _ = await client.send(response.bytes(hasBody: true, keepsConnection: false))
      return
    }
    let head = ResponseHeadMessage(status: 101, fields: fields)
    guard let bytes = try? ResponseSerializer.bytes(head), await client.send(bytes) else { return }
    let (id, loop) = (client.id, client.loop)
    let isGranted = admission == .granted
    await service.connect(id, isGranted: isGranted) { Task { await loop.wake(id) } }
    var socket = Aria2WebSocket(
      client, service, isGranted: isGranted, unread: unread, options: options,
      connections: connections)
    await socket.serve()
    await service.disconnect(id)
  }

  private static func refusal(_ admission: Aria2Service.Admission) -> ControlError? {
    switch admission {
    case .granted, .open: nil
    case .refused: ControlError(.unauthenticated, "the secret is wrong")
    case .busy:
      ControlError(.tooManyConnections, "too many clients without the secret are waiting")
    }
  }

  private func setPhase(_ phase: OpenConnections.Table.Phase) {
    connections.setPhase(phase, of: client.id)
  }
}

extension HTTPFields {
  fileprivate func appending(_ name: String, _ value: String) -> HTTPFields {
    var fields = self
    fields.append(name, value)
    return fields
  }
}
