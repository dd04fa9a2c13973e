import Aria2
import HTTP1
import Models
import SystemCalls
import WebSocket

/// Requests for the aria2 interface: calls over HTTP and WebSockets.
extension ServerCore {
  /// Returns whether a request is for the aria2 interface.
  func isAria2(_ request: ControlRequest) -> Bool {
    aria2 != nil && request.listener == .loopback
      && request.target.segments == Aria2RequestChecks.path
  }

  /// Serves one request, or a WebSocket until it closes.
  /// - Returns: Whether the connection may serve another request.
  func serveAria2(
    _ request: ControlRequest, of id: SocketLoop.SocketID, _ stream: inout RequestStream
  ) async throws(ControlError) -> Bool {
    setPhase(.incomplete, of: id)
    guard let (service, checks) = aria2, let webChecks else {
      throw ControlError(.notFound, "there is no such path")
    }
    let origin: String?
    do throws(ControlError) {
      _ = try webChecks.checkHost(request)
      origin = try checks.checkSender(request)
    } catch {
      // The client reads the response only after it has sent the body.
      if stream.bodyLength <= Int64(options.bodyBytes), !stream.awaitsContinue {
        _ = try await stream.body(isKept: false)
      }
      throw error
    }
    switch request.method {
    case "POST":
      try checks.checkBodyType(request)
      let limit = Int64(options.bodyBytes)
      guard stream.bodyLength <= limit else { throw .bodyTooLarge(limit) }
      guard let body = try await stream.body(isKept: true) else { return false }
      setPhase(.serving, of: id)
      let reply = await service.reply(
        to: body, from: .request(bearer: Aria2RequestChecks.bearer(request)))
      // aria2 closes the connection after an error, and clients rely on the status.
      let keeps = request.keepsConnection && reply.httpStatus == 200 && !isStopping
      let response = Self.response(reply, allowing: origin)
      return await send(response.bytes(hasBody: true, keepsConnection: keeps), to: id) && keeps
    case "OPTIONS":
      guard try await stream.body(isKept: false) != nil else { return false }
      setPhase(.serving, of: id)
      let response = try Self.preflightResponse(allowing: origin)
      return await send(
        response.bytes(hasBody: true, keepsConnection: request.keepsConnection), to: id)
        && request.keepsConnection
    case "GET":
      guard try await stream.body(isKept: false) != nil else { return false }
      setPhase(.serving, of: id)
      await upgrade(request, of: id, unread: stream.takeUnread())
      return false
    default:
      throw ControlError(.methodNotAllowed, "this path supports GET, OPTIONS, POST")
    }
  }

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
    allowing origin: String?
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
    return response
  }

  // MARK: - WebSocket

  /// Accepts or refuses a WebSocket, and serves it until it closes.
  private func upgrade(
    _ request: ControlRequest, of id: SocketLoop.SocketID, unread: [UInt8]
  ) async {
    guard let (service, _) = aria2 else { return }
    let fields: HTTPFields
    do throws(WebSocketHandshake.Refusal) {
      fields = try WebSocketHandshake.accept(request.fields)
    } catch {
      let response = ControlResponse(
        status: error.status, fields: error.fields.appending("Content-Type", "text/plain"),
        body: Array("\(error.detail)\n".utf8))
      _ = await send(response.bytes(hasBody: true, keepsConnection: false), to: id)
      return
    }
    let admission = await service.admit(bearer: Aria2RequestChecks.bearer(request))
    if let error = Self.refusal(admission) {
      let response = ControlResponse.problem(ProblemMessage(error))
      _ = await send(response.bytes(hasBody: true, keepsConnection: false), to: id)
      return
    }
    let head = ResponseHeadMessage(status: 101, fields: fields)
    guard let bytes = try? ResponseSerializer.bytes(head), await send(bytes, to: id) else { return }
    let loop = loop
    let isGranted = admission == .granted
    await service.connect(id, isGranted: isGranted) { Task { await loop.wake(id) } }
    await serveWebSocket(id, service, isGranted: isGranted, unread: unread)
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

  /// The number of seconds without input after which the server sends a ping; without a response to it, the
  /// connection is closed after the same time.
  private static let pingSeconds = 60.0

  private func serveWebSocket(
    _ id: SocketLoop.SocketID, _ service: Aria2Service, isGranted: Bool, unread: [UInt8]
  ) async {
    var reader = WebSocketReader(limit: options.bodyBytes)
    reader.receive(unread)
    var awaitsPong = false
    var isAuthorised = isGranted
    let start = loop.clock.now()
    while true {
      setPhase(.serving, of: id)
      guard await answerMessages(&reader, id, service, &isAuthorised),
        await sendNotifications(to: id, service)
      else { return }
      if isStopping {
        _ = await send(WebSocketFrame.close(.goingAway, "the server is stopping"), to: id)
        return
      }
      var deadline = loop.clock.now() + Self.pingSeconds
      if !isAuthorised {
        // The connection may be closed for another one, as one without a request may be.
        setPhase(.idle, of: id)
        guard loop.clock.now() < start + options.idleSeconds else {
          _ = await send(WebSocketFrame.close(.policyViolation, "no call had the secret"), to: id)
          return
        }
        deadline = min(deadline, start + options.idleSeconds)
      }
      switch await loop.arrival(id, until: deadline) {
      case .bytes(let bytes):
        reader.receive(bytes)
        awaitsPong = false
      case .woken: break
      case .ended: return
      case .timedOut where isStopping || !isAuthorised: break
      case .timedOut:
        guard !awaitsPong, await send(WebSocketFrame.ping, to: id) else { return }
        awaitsPong = true
      }
    }
  }

  /// Answers the messages that have been received completely.
  /// - Returns: False if the connection is to be closed.
  private func answerMessages(
    _ reader: inout WebSocketReader, _ id: SocketLoop.SocketID, _ service: Aria2Service,
    _ isAuthorised: inout Bool
  ) async -> Bool {
    do throws(WebSocketError) {
      while let event = try reader.next() {
        switch event {
        case .text(let text):
          let reply = await service.reply(to: Array(text.utf8), from: .socket(id))
          isAuthorised = isAuthorised || reply.wasAuthorised
          guard await send(WebSocketFrame.text(reply.body), to: id) else { return false }
        case .ping(let payload):
          guard await send(WebSocketFrame.pong(payload), to: id) else { return false }
        case .pong: break
        case .close(let code):
          _ = await send(WebSocketFrame.close(code ?? .normal), to: id)
          return false
        }
      }
      return true
    } catch {
      _ = await send(WebSocketFrame.close(error.code, error.description), to: id)
      return false
    }
  }

  private func sendNotifications(
    to id: SocketLoop.SocketID, _ service: Aria2Service
  ) async -> Bool {
    while true {
      guard let frames = await service.takeNotifications(for: id) else {
        let close = WebSocketFrame.close(.policyViolation, "the client reads too slowly")
        _ = await send(close, to: id)
        return false
      }
      if frames.isEmpty { return true }
      // A wake-up during the transmission is lost, so the notifications are taken again after it.
      guard await send(frames, to: id) else { return false }
    }
  }
}

extension HTTPFields {
  fileprivate func appending(_ name: String, _ value: String) -> HTTPFields {
    var fields = self
    fields.append(name, value)
    return fields
  }
}
