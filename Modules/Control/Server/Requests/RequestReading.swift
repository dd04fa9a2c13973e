import HTTP1
import Models

/// Parses the requests of one connection, one after another. The caller decides by the head of a request
/// whether to read the body; the parser keeps no part of a body.
struct RequestReading {
  enum Step: Sendable, Equatable {
    /// The request is incomplete; more bytes are needed.
    case needsInput
    /// The head of the next request, whose body has not been read.
    case head(ControlRequest)
    /// A part of the body.
    case body([UInt8])
    /// The request is complete.
    case end
  }

  enum Phase { case idle, head, body }

  /// The part of a request to which the next byte belongs.
  private(set) var phase = Phase.idle
  /// The length of the body in bytes, as the head states it.
  private(set) var bodyLength: Int64 = 0
  private let listener: ListenerKind
  private var parser = RequestParser()
  private var unread: [UInt8] = []
  private var expectsContinue = false

  /// - Parameter listener: The kind of the listener that accepted the connection.
  init(listener: ListenerKind = .unixSocket) { self.listener = listener }

  /// Whether the client holds the body back until it receives `100 Continue` (RFC 9110 §10.1.1).
  var awaitsContinue: Bool { phase == .body && expectsContinue && unread.isEmpty }

  /// Registers that `100 Continue` was sent, so that `awaitsContinue` becomes false.
  mutating func sentContinue() { expectsContinue = false }

  /// Removes and returns the bytes that have not been parsed, because another protocol follows (RFC 9110
  /// §7.8).
  mutating func takeUnread() -> [UInt8] {
    defer { unread = [] }
    return unread
  }

  mutating func receive(_ bytes: [UInt8]) {
    if phase == .idle { phase = .head }
    if unread.isEmpty { unread = bytes } else { unread += bytes }
  }

  /// Parses the bytes received so far up to the next step.
  /// - Throws: The reason for refusing the request. The bytes that follow cannot be parsed any more.
  mutating func next() throws(ControlError) -> Step {
    if phase == .idle, !unread.isEmpty { phase = .head }
    let input = unread
    let step: RequestParser.Step
    do throws(HTTPParseError) {
      let consumed: Int
      (consumed, step) = try parser.parse(input.span.bytes)
      if consumed > 0 { unread = Array(input[consumed...]) }
    } catch {
      throw ControlError(error)
    }
    switch step {
    case .needInput: return .needsInput
    case .head(let head): return .head(try receiveHead(head))
    case .body(let range): return .body(Array(input[range]))
    case .end:
      parser = RequestParser()
      phase = .idle
      return .end
    }
  }

  private mutating func receiveHead(
    _ head: RequestHeadMessage
  ) throws(ControlError) -> ControlRequest {
    phase = .body
    bodyLength = parser.remainingLength ?? 0
    let expectations = head.fields.all("Expect")
    guard expectations.allSatisfy({ HTTPFields.isSame($0, "100-continue") }) else {
      throw ControlError(.expectationFailed, "the only supported expectation is 100-continue")
    }
    expectsContinue = !expectations.isEmpty && head.minorVersion > 0 && bodyLength > 0
    let target: RequestTarget
    do throws(HTTPParseError) {
      target = try RequestTarget(head.target)
    } catch {
      throw ControlError(error)
    }
    return ControlRequest(
      method: head.method, target: target, fields: head.fields, body: [],
      keepsConnection: parser.allowsReuse && head.minorVersion > 0, listener: listener)
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

  /// The refusal of a body that is longer than `limit` bytes.
  static func bodyTooLarge(_ limit: Int64) -> ControlError {
    ControlError(.bodyTooLarge, "the body is longer than \(limit) bytes")
  }
}
