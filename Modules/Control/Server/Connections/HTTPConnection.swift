import HTTP1
import LibraryAPI
import Models
import SystemCalls

/// Serves the requests of one connection, one after another, until the connection is closed. Runs on the
/// acceptor's actor; request handlers run elsewhere.
struct HTTPConnection {
  let client: ClientSocket
  let listener: ListenerKind
  let services: ServerServices
  let connections: OpenConnections
  let admission: RequestAdmission
  let viewers: ViewerStreams

  func serve() async {
    var stream = RequestStream(client.loop, client.id, from: listener, options: services.options)
    var isFirst = true
    while !connections.isStopping {
      do {
        setPhase(.idle)
        let head = try await stream.head(isFirst: isFirst) { setPhase(.incomplete) }
        if let head, let exchange = aria2Exchange(for: head) {
          setPhase(.incomplete)
          guard try await exchange.serve(head, &stream) else { return }
          isFirst = false
          continue
        }
        guard let head, let (request, decision) = try await request(head, &stream) else { return }
        setPhase(.serving)
        let reply = await reply(to: request, decision)
        guard await send(reply, to: request) else { return }
      } catch {
        setPhase(.serving)
        // After an invalid request, the start of the next request in the input is unknown, so the connection
        // closes.
        let response = ControlResponse.problem(ProblemMessage(wrapping: error))
          .protected(from: listener)
        _ = await client.send(response.bytes(hasBody: true, keepsConnection: false))
        return
      }
      isFirst = false
    }
  }

  private func setPhase(_ phase: OpenConnections.Table.Phase) {
    connections.setPhase(phase, of: client.id)
  }

  // MARK: Receiving

  /// Checks the head of a request, and then reads its body. The body of a refused request is discarded.
  /// - Returns: The complete request and the result of the checks; nil if the client closed the connection.
  private func request(
    _ head: ControlRequest, _ stream: inout RequestStream
  ) async throws -> (ControlRequest, RequestAdmission.Decision)? {
    setPhase(.incomplete)
    var request = head
    let decision = admission.decide(on: head)
    if case .admitted = decision, try services.router.acceptsFile(head) {
      setPhase(.serving)
      let limit = Int64(try await services.reading.settings().limits.resourceBytes)
      guard stream.bodyLength <= limit else { throw ControlError.bodyTooLarge(limit) }
      guard let file = try await services.uploads.receive(&stream) else { return nil }
      request.upload = file
      return (request, decision)
    }
    let limit = bodyLimit(of: head)
    let isTooLarge = stream.bodyLength > limit
    if case .refused(let error) = decision, isTooLarge || stream.awaitsContinue { throw error }
    guard !isTooLarge else { throw ControlError.bodyTooLarge(limit) }
    guard let body = try await stream.body(isKept: decision.isAdmitted) else { return nil }
    request.body = body
    return (request, decision)
  }

  /// Returns the maximum length of a request's body in bytes. A login request needs no session, so its limit
  /// is low.
  private func bodyLimit(of head: ControlRequest) -> Int64 {
    head.listener == .loopback && head.target.segments == ["v1", "login"]
      ? Self.loginBytes : Int64(services.options.bodyBytes)
  }

  private static let loginBytes: Int64 = 4_096

  // MARK: Handling

  /// Returns the reply to a request. A reply through a loopback listener has the header fields that protect
  /// the browser.
  private func reply(
    to request: ControlRequest, _ decision: RequestAdmission.Decision
  ) async -> ControlReply {
    switch decision {
    case .refused(let error):
      return .whole(.problem(ProblemMessage(error)).protected(from: request.listener))
    case .page:
      return .whole(WebPage.shared.response(to: request))
    case .admitted(let token):
      var request = request
      request.token = token
      let reply = await handle(request)
      guard case .whole(var response) = reply else { return reply }
      if response.status >= 400, let file = request.upload { await services.uploads.discard(file) }
      if let token, response.status < 400, response.fields["Set-Cookie"] == nil,
        let session = await admission.renewedSession(for: token)
      {
        response.setSession(session)
      }
      return .whole(response.protected(from: request.listener))
    }
  }

  /// Runs the handler in a task of its own, which is cancelled when the client closes its socket.
  private func handle(_ request: ControlRequest) async -> ControlReply {
    let (router, id, loop) = (services.router, client.id, client.loop)
    let task = Task.detached { await router.respond(to: request) }
    connections.setHandler(task, of: id)
    // A browser that no longer wants an image closes a TCP connection as a whole, of which the loop only learns the end
    // of the input. A script may end its input and wait for the response.
    let isOfBrowser = request.isSafe && request.fields["Sec-Fetch-Site"] != nil
    await loop.onHangUp(id, orEndOfInput: isOfBrowser) { task.cancel() }
    let answer = await task.value
    await loop.onHangUp(id, nil)
    connections.setHandler(nil, of: id)
    return answer
  }

  /// Returns the exchange that serves a request for the aria2 interface; nil for any other request.
  private func aria2Exchange(for head: ControlRequest) -> Aria2Exchange? {
    guard let interface = services.aria2, head.listener == .loopback,
      head.target.segments == Aria2RequestChecks.path
    else { return nil }
    return Aria2Exchange(
      client: client, service: interface.service, checks: interface.checks,
      webChecks: admission.checks, options: services.options, connections: connections)
  }

  // MARK: Sending

  /// Sends the reply to a request.
  /// - Returns: Whether the connection may serve another request.
  private func send(_ reply: ControlReply, to request: ControlRequest) async -> Bool {
    switch reply {
    case .whole(let response):
      let keeps = request.keepsConnection && !connections.isStopping
      let bytes = response.bytes(hasBody: !request.isHead, keepsConnection: keeps)
      return await client.send(bytes) && keeps
    case .file(let response):
      let keeps = request.keepsConnection && !connections.isStopping
      guard await client.send(ControlResponse.head(response, keepsConnection: keeps)) else {
        return false
      }
      return request.isHead ? keeps : await client.send(response.file, response.part) && keeps
    case .stream(let query):
      if request.isHead {
        _ = await client.send(ControlResponse.eventStreamHead(request.listener))
      } else {
        await EventStream(query: query, client: client, services: services, viewers: viewers)
          .send(through: request.listener)
      }
      return false
    }
  }
}
