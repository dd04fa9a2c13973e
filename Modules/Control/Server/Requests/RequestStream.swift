import SystemCalls

/// Reads the requests of one connection from its socket, within the time limits.
struct RequestStream {
  private let loop: SocketLoop
  private let id: SocketLoop.SocketID
  private let options: ControlServer.Options
  private var reading: RequestReading

  init(
    _ loop: SocketLoop, _ id: SocketLoop.SocketID, from listener: ListenerKind,
    options: ControlServer.Options
  ) {
    self.loop = loop
    self.id = id
    self.options = options
    reading = RequestReading(listener: listener)
  }

  /// The length of the body of the current request, as its head states it.
  var bodyLength: Int64 { reading.bodyLength }
  /// Whether the client does not send the body before it has received `100 Continue`.
  var awaitsContinue: Bool { reading.awaitsContinue }

  /// Removes and returns the bytes after the last request, because another protocol follows.
  mutating func takeUnread() -> [UInt8] { reading.takeUnread() }

  /// Reads the head of the next request of the connection.
  /// - Parameters:
  ///   - isFirst: Whether the request is the first one of the connection.
  ///   - begin: Called when the first bytes of an incomplete request have been received.
  /// - Returns: The request without its body, or nil if the client closed the connection or stayed idle for
  ///   too long.
  mutating func head(
    isFirst: Bool, begin: () -> Void
  ) async throws(ControlError) -> ControlRequest? {
    var isIdle = true
    var deadline = loop.clock.now() + (isFirst ? options.headSeconds : options.idleSeconds)
    while true {
      if case .head(let request) = try reading.next() { return request }
      if isIdle, reading.phase == .head {
        isIdle = false
        begin()
        // On a new connection, the time limit for the head runs from the connect.
        if !isFirst { deadline = loop.clock.now() + options.headSeconds }
      }
      switch await loop.receive(id, until: deadline) {
      case .bytes(let bytes): reading.receive(bytes)
      case .ended: return nil
      case .timedOut:
        if isIdle { return nil }
        throw .incompleteRequest
      }
    }
  }

  /// Reads the body of the current request.
  /// - Parameter isKept: Whether to return the body; a refused request's body is read and discarded.
  /// - Returns: nil if the client closed the connection.
  mutating func body(isKept: Bool) async throws(ControlError) -> [UInt8]? {
    let deadline = loop.clock.now() + options.bodySeconds
    var body: [UInt8] = []
    while true {
      switch try await part(until: deadline) {
      case .body(let bytes): if isKept { body += bytes }
      case .end: return body
      case nil: return nil
      case .head, .needsInput: break
      }
    }
  }

  /// Reads the next part of a long body. Only the time without progress is limited, not the total time.
  /// - Returns: The part, `end`, or nil if the client closed the connection.
  mutating func part() async throws(ControlError) -> RequestReading.Step? {
    try await part(until: loop.clock.now() + options.bodySeconds)
  }

  private mutating func part(
    until deadline: Double
  ) async throws(ControlError) -> RequestReading.Step? {
    while true {
      let step = try reading.next()
      guard case .needsInput = step else { return step }
      if reading.awaitsContinue {
        reading.sentContinue()
        let sending = await loop.send(
          id, ControlResponse.continueHead, stallTimeout: options.sendSeconds)
        guard sending == .complete else { return nil }
      }
      switch await loop.receive(id, until: deadline) {
      case .bytes(let bytes): reading.receive(bytes)
      case .ended: return nil
      case .timedOut: throw .incompleteRequest
      }
    }
  }
}

extension ControlError {
  fileprivate static var incompleteRequest: ControlError {
    ControlError(.tooSlow, "the request was not complete in time")
  }
}
