/// A server on the loopback interface that does exactly what a test tells it, legal HTTP or not.
///
/// Each connection runs on a thread of its own. When the actions of a connection are used up, the
/// connection is ended with FIN. A server that is made where `ScriptedServer.security` is set speaks
/// TLS, with the same scripts.
public final class ScriptedServer: Sendable {
  public enum Action: Sendable {
    /// Reads one request, good or bad, and records it; ends the connection if none comes.
    case readRequest
    case send([UInt8])
    case sendString(String)
    /// Sends `chunk` bytes at a time, a millisecond apart, so that the client reads pieces.
    case sendSlowly([UInt8], chunk: Int)
    /// Past the encryption, as somebody on the way would; the same as `send` where there is none.
    case sendRaw([UInt8])
    /// FIN, over TLS behind close_notify; then waits until the client closes too, or the server stops.
    case close
    /// FIN without the end of TLS; the same as `close` where nothing is encrypted.
    case cut
    /// RST.
    case reset
    /// Does nothing until the gate opens (with none: until the client closes), or the server stops.
    case hold(Gate?)
    /// Opens a gate: tells the test that the script has come so far.
    case open(Gate)
  }

  /// What to do after a request: connection and request counted from 0, and what was received.
  public typealias Responder =
    @Sendable (_ connection: Int, _ index: Int, _ request: ReceivedRequest) -> [Action]

  /// What servers that are made in this task are encrypted with.
  @TaskLocal public static var security: (any ConnectionSecurity)?

  private let received: Arrivals<ReceivedRequest>
  private let listener: Listener
  private let scheme: String

  /// Answers each connection with the actions of its index; the last script also serves all later
  /// connections.
  public convenience init(scripts: [[Action]]) throws(OriginError) {
    try self.init { script in
      let index = min(script.connection.index, scripts.count - 1)
      if index < 0 || script.perform(scripts[index]) { script.connection.finish(within: -1) }
    }
  }

  /// Answers each request, as it is read, with the actions that the closure returns, and reads the
  /// next one on the same connection unless they ended it.
  /// - Parameter addresses: Addresses of the loopback interface.
  public convenience init(
    at addresses: [String] = ["127.0.0.1"], respond: @escaping Responder
  ) throws(OriginError) {
    try self.init(at: addresses) { script in
      while let request = script.readRequest() {
        guard script.perform(respond(request.connection, request.index, request)) else { return }
      }
    }
  }

  private init(
    at addresses: [String] = ["127.0.0.1"], run: @escaping @Sendable (inout Script) -> Void
  ) throws(OriginError) {
    let received = Arrivals<ReceivedRequest>()
    let security = Self.security
    scheme = security == nil ? "http" : "https"
    listener = try Listener(addresses: addresses, port: 0) { connection in
      guard security.map({ connection.secure(with: $0) }) ?? true else {
        return connection.finish()
      }
      var script = Script(connection, received)
      run(&script)
    }
    self.received = received
  }

  public var port: Int { listener.port }

  /// The root, as in `http://127.0.0.1:8080/`.
  public var url: String { "\(scheme)://127.0.0.1:\(port)/" }

  /// Connections accepted so far.
  public var connectionCount: Int { listener.accepted }

  /// The requests read so far, in the order in which they were complete.
  public var requests: [ReceivedRequest] { received.all }

  /// All requests, once there are `count` or more.
  public func requests(count: Int) async -> [ReceivedRequest] { await received.wait(count: count) }

  /// Ends all connections and waits until their threads have gone.
  public func stop() { listener.stop() }
}

/// The actions on one connection, on its thread.
private struct Script {
  let connection: Connection
  private let received: Arrivals<ReceivedRequest>
  private var reader: RequestReader

  init(_ connection: Connection, _ received: Arrivals<ReceivedRequest>) {
    self.connection = connection
    self.received = received
    reader = RequestReader(connection)
  }

  mutating func readRequest() -> ReceivedRequest? {
    guard let request = reader.next() else { return nil }
    received.append(request)
    return request
  }

  /// `false` if the connection has been ended, by either side.
  mutating func perform(_ actions: [ScriptedServer.Action]) -> Bool {
    actions.allSatisfy { perform($0) }
  }

  private mutating func perform(_ action: ScriptedServer.Action) -> Bool {
    switch action {
    case .readRequest: return readRequest() != nil
    case .send(let bytes): return connection.send(bytes)
    case .sendString(let text): return connection.send(Array(text.utf8))
    case .sendRaw(let bytes): return connection.send(bytes, isEncrypted: false)
    case .sendSlowly(let bytes, let chunk): return sendSlowly(bytes, chunk: max(1, chunk))
    case .close:
      connection.finish(within: -1)
      return false
    case .cut:
      connection.finish(within: -1, isClean: false)
      return false
    case .reset:
      connection.reset()
      return false
    case .hold(let gate):
      if let gate {
        Signal.waitForAny([gate.signal, connection.stop])
      } else {
        Signal.waitForAny([connection.stop], orEndOf: connection.descriptor)
      }
      return !connection.stop.isRaised
    case .open(let gate):
      gate.open()
      return true
    }
  }

  private func sendSlowly(_ bytes: [UInt8], chunk: Int) -> Bool {
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      let piece = bytes[start..<min(bytes.count, start + chunk)]
      if connection.stop.wait(milliseconds: 1) || !connection.send(piece) { return false }
    }
    return true
  }
}
