import HTTP1
import SystemCalls

extension ServerCore {
  /// Serves one connection, from its first request to its last.
  func serve(_ id: SocketLoop.SocketID, from listener: ListenerKind) async {
    var reading = RequestReading(bodyLimit: options.bodyBytes, listener: listener)
    var isFirst = true
    while !isStopping {
      let request: ControlRequest
      do throws(ControlError) {
        guard let next = try await nextRequest(of: id, &reading, isFirst: isFirst) else { return }
        request = next
      } catch {
        // The start of the next request in the input is unknown now.
        let response = ControlResponse.problem(ProblemMessage(error))
        _ = await send(response.bytes(hasBody: true, keepsConnection: false), to: id)
        return
      }
      isFirst = false
      guard await respond(request, of: id) else { return }
    }
  }

  /// Reads the next request of a connection.
  /// - Returns: The request, or nil if the client closed the connection, stayed idle for too long or does not
  ///   read.
  private func nextRequest(
    of id: SocketLoop.SocketID, _ reading: inout RequestReading, isFirst: Bool
  ) async throws(ControlError) -> ControlRequest? {
    setPhase(.idle, of: id)
    defer { setPhase(.serving, of: id) }
    var phase = RequestReading.Phase.idle
    var deadline = loop.clock.now() + (isFirst ? options.headSeconds : options.idleSeconds)
    while true {
      switch try reading.next() {
      case .request(let request): return request
      case .awaitsContinue:
        guard await send(ControlResponse.continueHead, to: id) else { return nil }
      case .needsInput:
        if reading.phase != phase {
          phase = reading.phase
          setPhase(.incomplete, of: id)
          let seconds = phase == .head ? options.headSeconds : options.bodySeconds
          // On a new connection, the time limit for the head runs from the connect.
          if phase == .body || !isFirst { deadline = loop.clock.now() + seconds }
        }
        switch await loop.receive(id, until: deadline) {
        case .bytes(let bytes): reading.receive(bytes)
        case .ended: return nil
        case .timedOut:
          if phase == .idle { return nil }
          throw ControlError(.tooSlow, "the request was not complete in time")
        }
      }
    }
  }

  /// Handles a request and sends the response.
  /// - Returns: Whether the connection may serve another request.
  private func respond(_ request: ControlRequest, of id: SocketLoop.SocketID) async -> Bool {
    switch await reply(to: request, of: id) {
    case .whole(let response):
      let keeps = request.keepsConnection && !isStopping
      let bytes = response.bytes(hasBody: !request.isHead, keepsConnection: keeps)
      return await send(bytes, to: id) && keeps
    case .file(let response):
      let keeps = request.keepsConnection && !isStopping
      let head = ControlResponse.head(response, keepsConnection: keeps)
      guard await send(head, to: id) else { return false }
      return request.isHead ? keeps : await send(response.file, to: id) && keeps
    case .stream(let query):
      if request.isHead {
        _ = await send(ControlResponse.eventStreamHead, to: id)
      } else {
        await stream(query, to: id)
      }
      return false
    }
  }

  /// Sends a file at the speed at which the client reads; at most one portion is buffered.
  /// - Returns: False if the file could not be sent completely; the connection must then be closed.
  private func send(_ file: LibraryFile, to id: SocketLoop.SocketID) async -> Bool {
    var offset: Int64 = 0
    while offset < file.length {
      guard let bytes = await file.bytes(at: offset, limit: Self.filePortion), !bytes.isEmpty,
        await send(bytes, to: id)
      else { return false }
      offset += Int64(bytes.count)
    }
    return true
  }

  private static let filePortion = 262_144

  /// Sends bytes to a client.
  /// - Returns: false if the client has closed the connection or does not read.
  func send(_ bytes: [UInt8], to id: SocketLoop.SocketID) async -> Bool {
    await loop.send(id, bytes, stallTimeout: options.sendSeconds) == .complete
  }
}
