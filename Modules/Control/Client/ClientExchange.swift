import HTTP1
import LibraryAPI
import Models
import SystemCalls

/// One request and its response over a connection of their own. Only one task may use an exchange.
struct ClientExchange: Sendable {
  /// The reaction to a server that sends nothing for a while.
  enum InactivityPolicy: Sendable {
    /// The exchange fails after this number of seconds.
    case fail(after: Double)
    /// The response may take long. At this interval in seconds, the exchange calls `isAlive`, and fails if
    /// `isAlive` returns false.
    case checkLiveness(every: Double, isAlive: @Sendable () async -> Bool)
  }

  /// The time without a received byte after which a stream fails, in seconds: three times the server's
  /// interval between heartbeats.
  static let streamInactivityPolicy = InactivityPolicy.fail(after: 45)

  var inactivityPolicy = streamInactivityPolicy
  private let loop: SocketLoop
  private let id: SocketLoop.SocketID
  /// The id of the server's process, for error messages.
  private let processID: Int32
  private var parser: ResponseParser
  private var unread: [UInt8] = []

  init(_ loop: SocketLoop, _ id: SocketLoop.SocketID, processID: Int32, isHead: Bool = false) {
    self.loop = loop
    self.id = id
    self.processID = processID
    parser = ResponseParser(isResponseToHEAD: isHead)
  }

  /// Closes the connection asynchronously. A task that waits for the response then fails with `disconnected`.
  func close() { Task { await loop.close(id) } }

  /// Sends a request and reads the head of the response.
  mutating func send(_ request: [UInt8]) async throws(LibraryError) -> ResponseHeadMessage {
    // A server may refuse a request before it has read the whole request, so the response is read even if
    // sending failed.
    _ = await loop.send(id, request)
    while true {
      if case .head(let head) = try await step() { return head }
    }
  }

  /// Returns the next portion of the response's body, or nil at the end of the body.
  mutating func portion() async throws(LibraryError) -> [UInt8]? {
    while true {
      let input = unread
      switch try await step() {
      case .body(let range): return Array(input[range])
      case .end: return nil
      case .head, .needInput: continue
      }
    }
  }

  /// Returns the whole body.
  /// - Parameter limit: The maximum size of the body in bytes; a longer body throws `io`.
  mutating func body(limit: Int) async throws(LibraryError) -> [UInt8] {
    var body: [UInt8] = []
    while let portion = try await portion() {
      guard body.count + portion.count <= limit else {
        throw LibraryError(.io, "the response of process \(processID) exceeds \(limit) bytes")
      }
      body += portion
    }
    return body
  }

  /// Parses the bytes received so far, and receives more if the parser needs them.
  private mutating func step() async throws(LibraryError) -> ResponseParser.Step {
    let input = unread
    let step: ResponseParser.Step
    do throws(HTTPParseError) {
      let result = try parser.parse(input.span.bytes)
      if result.consumed > 0 { unread = Array(input[result.consumed...]) }
      step = result.step
    } catch {
      throw LibraryError(.io, "process \(processID) does not speak HTTP: \(error.detail)")
    }
    guard case .needInput = step else { return step }
    switch await loop.receive(id, until: loop.clock.now() + inactivityPolicy.seconds) {
    case .bytes(let bytes): unread += bytes
    case .timedOut:
      guard case .checkLiveness(_, let isAlive) = inactivityPolicy, await isAlive() else {
        throw .notResponding(processID)
      }
    case .ended:
      guard (try? parser.finishInput()) != nil else { throw .disconnected(processID) }
      return .end
    }
    return .needInput
  }
}

extension ClientExchange.InactivityPolicy {
  fileprivate var seconds: Double {
    switch self {
    case .fail(let seconds), .checkLiveness(let seconds, _): seconds
    }
  }
}

extension LibraryError {
  /// Returns the error for a server process that is stopped or hangs.
  static func notResponding(_ processID: Int32) -> LibraryError {
    LibraryError(.disconnected, "process \(processID), which uses the library, does not respond")
  }

  /// Returns the error for a server process that is stopped, while other clients wait to be accepted.
  static func acceptsNoConnection(_ processID: Int32) -> LibraryError {
    LibraryError(
      .disconnected, "process \(processID), which uses the library, accepts no connection")
  }

  static func disconnected(_ processID: Int32) -> LibraryError {
    LibraryError(.disconnected, "process \(processID), which used the library, has exited")
  }
}
