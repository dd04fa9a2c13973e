import HTTP1
import LibraryAPI
import Models
import SystemCalls

extension ServerCore {
  /// Serves the requests of one connection until the connection is closed.
  func serve(_ id: SocketLoop.SocketID, from listener: ListenerKind) async {
    var stream = RequestStream(loop, id, from: listener, options: options)
    var isFirst = true
    while !isStopping {
      do {
        setPhase(.idle, of: id)
        let head = try await stream.head(isFirst: isFirst) { setPhase(.incomplete, of: id) }
        if let head, isAria2(head) {
          guard try await serveAria2(head, of: id, &stream) else { return }
          isFirst = false
          continue
        }
        guard let head, let (request, admission) = try await request(head, of: id, &stream) else {
          return
        }
        setPhase(.serving, of: id)
        let reply = await reply(to: request, admission, of: id)
        guard await send(reply, to: request, of: id) else { return }
      } catch {
        setPhase(.serving, of: id)
        // After an invalid request, the start of the next request in the input is unknown, so the connection
        // closes.
        let response = protected(ControlResponse.problem(ProblemMessage(wrapping: error)), listener)
        _ = await send(response.bytes(hasBody: true, keepsConnection: false), to: id)
        return
      }
      isFirst = false
    }
  }

  /// Checks the head of a request, and then reads its body. The body of a refused request is discarded.
  /// - Returns: The complete request and the result of the checks; nil if the client closed the connection.
  private func request(
    _ head: ControlRequest, of id: SocketLoop.SocketID, _ stream: inout RequestStream
  ) async throws -> (ControlRequest, Admission)? {
    setPhase(.incomplete, of: id)
    var request = head
    let admission = admit(head)
    if case .admitted = admission, try router.acceptsFile(head) {
      setPhase(.serving, of: id)
      let limit = Int64(try await library.settings().limits.resourceBytes)
      guard stream.bodyLength <= limit else { throw ControlError.bodyTooLarge(limit) }
      guard let file = try await uploads.receive(&stream) else { return nil }
      request.upload = file
      return (request, admission)
    }
    let limit = bodyLimit(of: head)
    let isTooLarge = stream.bodyLength > limit
    if case .refused(let error) = admission, isTooLarge || stream.awaitsContinue { throw error }
    guard !isTooLarge else { throw ControlError.bodyTooLarge(limit) }
    guard let body = try await stream.body(isKept: admission.isAdmitted) else { return nil }
    request.body = body
    return (request, admission)
  }

  /// Returns the maximum length of a request's body in bytes. A login request needs no session, so its limit
  /// is low.
  private func bodyLimit(of head: ControlRequest) -> Int64 {
    head.listener == .loopback && head.target.segments == ["v1", "login"]
      ? Self.loginBytes : Int64(options.bodyBytes)
  }

  private static let loginBytes: Int64 = 4_096

  /// Sends the reply to a request.
  /// - Returns: Whether the connection may serve another request.
  private func send(
    _ reply: ControlReply, to request: ControlRequest, of id: SocketLoop.SocketID
  ) async -> Bool {
    switch reply {
    case .whole(let response):
      let keeps = request.keepsConnection && !isStopping
      let bytes = response.bytes(hasBody: !request.isHead, keepsConnection: keeps)
      return await send(bytes, to: id) && keeps
    case .file(let response):
      let keeps = request.keepsConnection && !isStopping
      let head = ControlResponse.head(response, keepsConnection: keeps)
      guard await send(head, to: id) else { return false }
      return request.isHead ? keeps : await send(response.file, response.part, to: id) && keeps
    case .stream(let query):
      if request.isHead {
        _ = await send(ControlResponse.eventStreamHead(request.listener), to: id)
      } else {
        await stream(query, to: id, through: request.listener)
      }
      return false
    }
  }

  /// Sends a part of a file at the speed at which the client reads; at most one portion is buffered.
  /// - Returns: False if the file could not be sent completely; the connection must then be closed.
  private func send(
    _ file: LibraryFile, _ part: Range<Int64>, to id: SocketLoop.SocketID
  ) async -> Bool {
    var offset = part.lowerBound
    while offset < part.upperBound {
      let limit = Int(min(Int64(Self.filePortion), part.upperBound - offset))
      guard let bytes = await file.bytes(at: offset, limit: limit), !bytes.isEmpty,
        await send(bytes, to: id)
      else { return false }
      offset += Int64(bytes.count)
    }
    return true
  }

  private static let filePortion = 262_144

  /// Sends bytes to a client.
  /// - Returns: False if the client has closed the connection or has stopped reading.
  func send(_ bytes: [UInt8], to id: SocketLoop.SocketID) async -> Bool {
    await loop.send(id, bytes, stallTimeout: options.sendSeconds) == .complete
  }
}
