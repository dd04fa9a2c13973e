import HTTP1
import LibraryAPI
import Models
import SystemCalls

/// Makes exchanges with one server, each over a connection of its own.
struct ControlConnector: Sendable {
  let loop: SocketLoop
  /// The id of the server's process, for error messages.
  let serverProcessID: Int32
  let path: String

  /// The maximum size of a response in bytes; the response to an import may list many records and problems.
  private static let responseLimit = 256 << 20
  /// The time in seconds for which connecting is retried while the server's accept queue is full.
  private static let connectSeconds = 10.0
  /// The time in seconds within which a live server responds to `hello`.
  private static let helloSeconds = 10.0

  /// - Parameter path: The path of the server's socket.
  init(_ path: String, loop: SocketLoop, processID: Int32) {
    self.path = path
    self.loop = loop
    self.serverProcessID = processID
  }

  /// Closes all connections; the calls that use them throw `disconnected`.
  func close() async { await loop.shutDown() }

  @concurrent
  func call<Answer: Decodable & Sendable>(
    _ method: String, _ path: String, _ message: (any Encodable & Sendable)? = nil
  ) async throws(LibraryError) -> Answer {
    let body = try await response(method, path, message)
    do throws(ControlError) {
      return try JSONText.decode(from: body)
    } catch {
      throw LibraryError(.io, "a response of process \(serverProcessID) cannot be parsed: \(error)")
    }
  }

  /// Makes a call whose response may have no body.
  /// - Returns: The body; nil for none.
  @concurrent
  func callForOptional<Answer: Decodable & Sendable>(
    _ method: String, _ path: String
  ) async throws(LibraryError) -> Answer? {
    let body = try await response(method, path, nil)
    guard !body.isEmpty else { return nil }
    do throws(ControlError) {
      return try JSONText.decode(from: body)
    } catch {
      throw LibraryError(.io, "a response of process \(serverProcessID) cannot be parsed: \(error)")
    }
  }

  /// Makes a call and ignores the body of the response.
  @concurrent
  func callIgnoringBody(
    _ method: String, _ path: String, _ message: (any Encodable & Sendable)? = nil
  ) async throws(LibraryError) {
    _ = try await response(method, path, message)
  }

  /// Returns the server's greeting, or throws if the server does not respond soon.
  @concurrent
  func hello() async throws(LibraryError) -> HelloMessage {
    let body = try await response("GET", "/v1", nil, .fail(after: Self.helloSeconds))
    do throws(ControlError) {
      return try JSONText.decode(from: body)
    } catch {
      throw LibraryError(.io, "a response of process \(serverProcessID) cannot be parsed: \(error)")
    }
  }

  /// Makes a call without a time limit, but fails if the server no longer responds to `hello`.
  private func response(
    _ method: String, _ path: String, _ message: (any Encodable & Sendable)?
  ) async throws(LibraryError) -> [UInt8] {
    try await response(
      method, path, message,
      .checkLiveness(every: Self.helloSeconds) { (try? await hello()) != nil })
  }

  private func response(
    _ method: String, _ path: String, _ message: (any Encodable & Sendable)?,
    _ inactivityPolicy: ClientExchange.InactivityPolicy
  ) async throws(LibraryError) -> [UInt8] {
    let request = try Self.bytes(method, path, message)
    return try await withExchange { (exchange: inout ClientExchange) async throws(LibraryError) in
      exchange.inactivityPolicy = inactivityPolicy
      let head = try await exchange.send(request)
      let body = try await exchange.body(limit: Self.responseLimit)
      guard (200...299).contains(head.status) else { throw Self.failure(head.status, body) }
      return body
    }
  }

  /// Opens a connection for one exchange and closes it afterwards, or when the task is cancelled.
  private func withExchange<Result: Sendable>(
    _ body: (inout ClientExchange) async throws(LibraryError) -> Result
  ) async throws(LibraryError) -> Result {
    var exchange = try await open()
    defer { exchange.close() }
    return try await closing(&exchange, body)
  }

  /// Opens an event stream, which the caller has to close. On return the server has accepted the stream.
  func openStream(
    _ path: String, lastEvent: String? = nil
  ) async throws(LibraryError) -> ClientExchange {
    let request = try Self.bytes(
      "GET", path, fields: lastEvent.map { [("Last-Event-ID", $0)] } ?? [])
    var exchange = try await open()
    do throws(LibraryError) {
      try await closing(&exchange) { (exchange: inout ClientExchange) async throws(LibraryError) in
        let head = try await exchange.send(request)
        guard head.status == 200 else {
          throw Self.failure(head.status, try await exchange.body(limit: 1 << 20))
        }
      }
    } catch {
      exchange.close()
      throw error
    }
    return exchange
  }

  /// Runs `body`, and closes the exchange's connection if the task is cancelled meanwhile.
  func closing<Result: Sendable>(
    _ exchange: inout ClientExchange,
    _ body: (inout ClientExchange) async throws(LibraryError) -> Result
  ) async throws(LibraryError) -> Result {
    let connection = exchange
    let result: Swift.Result<Result, LibraryError> = await withTaskCancellationHandler {
      do throws(LibraryError) {
        return .success(try await body(&exchange))
      } catch {
        return .failure(Task.isCancelled ? LibraryError(.interrupted, "") : error)
      }
    } onCancel: {
      connection.close()
    }
    return try result.get()
  }

  private func open() async throws(LibraryError) -> ClientExchange {
    let deadline = loop.clock.now() + Self.connectSeconds
    while !Task.isCancelled {
      do throws(SystemError) {
        if let id = try await loop.connect(to: path) {
          return ClientExchange(loop, id, processID: serverProcessID)
        }
      } catch {
        if error.isOutOfDescriptors { throw LibraryError(.io, error.description) }
        throw .disconnected(serverProcessID)
      }
      guard loop.clock.now() < deadline else {
        throw .acceptsNoConnection(serverProcessID)
      }
      await loop.pause(until: loop.clock.now() + 0.01)
    }
    throw LibraryError(.interrupted, "")
  }

  static func bytes(
    _ method: String, _ path: String, _ message: (any Encodable & Sendable)? = nil,
    fields more: [(String, String)] = []
  ) throws(LibraryError) -> [UInt8] {
    var fields = HTTPFields(["Host": "localhost", "Connection": "close"])
    for (name, value) in more { fields.append(name, value) }
    var body: [UInt8] = []
    do throws(ControlError) {
      if let message {
        body = try JSONText.encode(message)
        fields.append("Content-Type", "application/json")
      }
    } catch {
      throw LibraryError(.io, error.detail)
    }
    if method != "GET" { fields.append("Content-Length", "\(body.count)") }
    do throws(HTTPParseError) {
      let head = RequestHeadMessage(method: method, target: path, fields: fields)
      return try RequestSerializer.bytes(head) + body
    } catch {
      throw LibraryError(.io, error.detail)
    }
  }

  static func failure(_ status: Int, _ body: [UInt8]) -> LibraryError {
    guard let problem = try? JSONText.decode(ProblemMessage.self, from: body) else {
      return LibraryError(.io, "the engine refused the request with status \(status)")
    }
    return problem.libraryError
  }
}
