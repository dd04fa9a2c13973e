import HTTP1
import Models

/// Parses the requests of one connection, one after another, and enforces the limits. Does not parse the next
/// request before `next` is called for it.
struct RequestReading {
  enum Step {
    /// The request is incomplete; more bytes are needed.
    case needsInput
    /// The client waits for `100 Continue` (RFC 9110 §10.1.1) before it sends the body.
    case awaitsContinue
    case request(ControlRequest)
  }

  enum Phase { case idle, head, body }

  /// The part of a request to which the next byte belongs.
  private(set) var phase = Phase.idle
  private let bodyLimit: Int
  private let listener: ListenerKind
  private var parser = RequestParser()
  private var unread: [UInt8] = []
  private var head: RequestHeadMessage?
  private var body: [UInt8] = []
  private var awaitsContinue = false

  /// - Parameters:
  ///   - bodyLimit: The maximum size of a body in bytes.
  ///   - listener: The kind of the listener that accepted the connection.
  init(bodyLimit: Int, listener: ListenerKind = .unixSocket) {
    self.bodyLimit = bodyLimit
    self.listener = listener
  }

  mutating func receive(_ bytes: [UInt8]) {
    if phase == .idle { phase = .head }
    if unread.isEmpty { unread = bytes } else { unread += bytes }
  }

  /// - Throws: The reason why the request is refused. The following bytes cannot be parsed any more.
  mutating func next() throws(ControlError) -> Step {
    if phase == .idle, !unread.isEmpty { phase = .head }
    while true {
      switch try parse() {
      case .needInput:
        guard awaitsContinue, unread.isEmpty else { return .needsInput }
        awaitsContinue = false
        return .awaitsContinue
      case .head(let head): try receiveHead(head)
      case .body: break
      case .end: if let request = try finish() { return .request(request) }
      }
    }
  }

  private mutating func parse() throws(ControlError) -> RequestParser.Step {
    let input = unread
    do throws(HTTPParseError) {
      let (consumed, step) = try parser.parse(input.span.bytes)
      if case .body(let range) = step { body += input[range] }
      if consumed > 0 { unread = Array(input[consumed...]) }
      return step
    } catch {
      throw ControlError(error)
    }
  }

  private mutating func receiveHead(_ head: RequestHeadMessage) throws(ControlError) {
    self.head = head
    phase = .body
    let length = parser.remainingLength ?? 0
    guard length <= Int64(bodyLimit) else {
      throw ControlError(.bodyTooLarge, "the body is longer than \(bodyLimit) bytes")
    }
    let expectations = head.fields.all("Expect")
    guard expectations.allSatisfy({ HTTPFields.isSame($0, "100-continue") }) else {
      throw ControlError(.expectationFailed, "the only supported expectation is 100-continue")
    }
    awaitsContinue = !expectations.isEmpty && head.minorVersion > 0 && length > 0
  }

  private mutating func finish() throws(ControlError) -> ControlRequest? {
    guard let head else { return nil }
    let target: RequestTarget
    do throws(HTTPParseError) {
      target = try RequestTarget(head.target)
    } catch {
      throw ControlError(error)
    }
    let request = ControlRequest(
      method: head.method, target: target, fields: head.fields, body: body,
      keepsConnection: parser.allowsReuse && head.minorVersion > 0, listener: listener)
    parser = RequestParser()
    self.head = nil
    body = []
    awaitsContinue = false
    phase = .idle
    return request
  }
}

extension ControlError {
  init(_ error: HTTPParseError) {
    let code: Code =
      switch error.status {
      case 431: .headTooLarge
      case 411: .lengthRequired
      case 505: .unsupportedVersion
      default: .badRequest
      }
    self.init(code, error.detail)
  }
}
