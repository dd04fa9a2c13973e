import HTTP1
import Models
import Transport

/// The state machine of one request and its response on an HTTP/1.1 connection, without sockets and
/// without the sink.
///
/// The caller reads input, passes it to `read(_:)` and other events to `handle(_:)`, and performs
/// the returned actions. After `finish`, `fail` or `retry` the exchange is over.
struct Exchange {
  enum Outcome: Sendable, Equatable {
    case body(TransportResponse.Body)
    /// The response is a redirect, and its body has been read or skipped.
    case redirect
  }

  enum Event {
    case sinkDecided(BodyDecision)
    /// The peer has closed its side; `isClean` is false for TLS without close_notify.
    case inputEnded(isClean: Bool)
    /// The connection failed; the reason is the system's text.
    case broken(String)
    /// `drainTime` has passed since `isDraining` became true.
    case drainedTooLong
  }

  enum Action: Equatable {
    /// Wait for more input.
    case wait
    /// Call `read(_:)` again with the rest of the input, even if the rest is empty.
    case proceed
    /// Pass `head` to the sink, and the sink's decision about the body to `handle(_:)`.
    case begin
    /// Pass the body bytes at these offsets of the input to the sink.
    case deliver(Range<Int>)
    /// End the exchange with this outcome. The connection may be reused if `keepsConnection` is
    /// true and no input is left.
    case finish(Outcome, keepsConnection: Bool)
    case fail(TransportError.Code, String)
    /// Send the request again on a new connection, because a reused one was closed before the
    /// response (RFC 9112 §9.3.1), or is not the right one for the request (RFC 9110 §15.5.20).
    case retry
  }

  /// The maximum time in nanoseconds for reading an unwanted body, after which the connection is
  /// closed.
  static let drainTime: UInt64 = 1_000_000_000

  private enum State {
    case head, undecided, body
    /// The rest of an unwanted body is read, so that the connection can be reused.
    case draining(left: Int64, Outcome)
    case over
  }

  private var parser: ResponseParser
  private var state = State.head
  private let mayRetry: Bool
  private let maximumBodyBytes: Int64
  private var hasInput = false
  /// The final head, or nil before it was read.
  private(set) var head: ResponseHeadMessage?
  /// The number of body bytes passed to the sink.
  private(set) var bytesDelivered: Int64 = 0

  /// - Parameter isReused: Whether the connection has served an earlier exchange.
  init(isReused: Bool, maximumBodyBytes: Int64, limits: HeadLimits) {
    mayRetry = isReused
    self.maximumBodyBytes = maximumBodyBytes
    parser = ResponseParser(limits: limits)
  }

  var isDraining: Bool {
    if case .draining = state { true } else { false }
  }

  /// Processes unread input. The caller passes the rest of the input again until the action is
  /// `wait` or the exchange is over.
  mutating func read(_ input: RawSpan) -> (consumed: Int, action: Action) {
    if !input.isEmpty { hasInput = true }
    do throws(HTTPParseError) {
      let (consumed, step) = try parser.parse(input)
      switch step {
      case .needInput: return (consumed, .wait)
      case .head(let message): return (consumed, receiveHead(message))
      case .body(let range): return (consumed, receiveBody(range))
      case .end: return (consumed, complete())
      }
    } catch {
      return (0, connectionFailed(Self.code(for: error), Self.detail(of: error)))
    }
  }

  mutating func handle(_ event: Event) -> Action {
    switch event {
    case .sinkDecided(.accept):
      state = .body
      if let length = parser.remainingLength, length > maximumBodyBytes {
        return fail(.limitExceeded, tooLarge)
      }
      return .proceed
    case .sinkDecided(.refuse): return drain(for: .body(.refused))
    case .inputEnded(let isClean): return inputEnded(isClean: isClean)
    case .broken(let reason): return connectionFailed(.connectionLost, reason)
    case .drainedTooLong:
      guard case .draining(_, let outcome) = state else { return .wait }
      return finish(outcome, keepsConnection: false)
    }
  }

  private mutating func receiveHead(_ message: ResponseHeadMessage) -> Action {
    head = message
    if message.status >= 300 {
      if RedirectPolicy.isRedirect(status: message.status) { return drain(for: .redirect) }
      if message.status == RedirectPolicy.misdirected, mayRetry { return retry() }
    }
    state = .undecided
    return .begin
  }

  private mutating func receiveBody(_ range: Range<Int>) -> Action {
    let count = Int64(range.count)
    if case .draining(let left, let outcome) = state {
      guard count <= left else { return finish(outcome, keepsConnection: false) }
      state = .draining(left: left - count, outcome)
      return .proceed
    }
    guard count <= maximumBodyBytes - bytesDelivered else {
      return fail(.limitExceeded, tooLarge)
    }
    bytesDelivered += count
    return .deliver(range)
  }

  private mutating func complete() -> Action {
    if case .draining(_, let outcome) = state {
      return finish(outcome, keepsConnection: parser.allowsReuse)
    }
    let body = TransportResponse.Body.complete(
      byteCount: bytesDelivered, isLengthKnown: parser.framing != .untilClose)
    return finish(.body(body), keepsConnection: parser.allowsReuse)
  }

  /// Reads the rest of an unwanted body, so that the connection can be reused, if the body has a
  /// marked end and not more than `RedirectPolicy.maximumBodyBytes` are left; otherwise ends the
  /// exchange.
  private mutating func drain(for outcome: Outcome) -> Action {
    let limit = RedirectPolicy.maximumBodyBytes
    guard parser.framing != .untilClose, parser.remainingLength ?? 0 <= limit else {
      return finish(outcome, keepsConnection: false)
    }
    state = .draining(left: limit, outcome)
    return .proceed
  }

  private mutating func inputEnded(isClean: Bool) -> Action {
    if !hasInput && mayRetry { return retry() }
    guard hasInput else {
      return connectionFailed(
        .connectionLost, "the server closed the connection without a response")
    }
    guard isClean else {
      let code: TransportError.Code = head == nil ? .connectionLost : .truncated
      return connectionFailed(code, "the server closed the connection without a TLS close_notify")
    }
    do throws(HTTPParseError) {
      try parser.finishInput()
      return complete()
    } catch {
      return connectionFailed(Self.code(for: error), error.detail)
    }
  }

  private mutating func connectionFailed(_ code: TransportError.Code, _ detail: String) -> Action {
    if case .draining(_, let outcome) = state { return finish(outcome, keepsConnection: false) }
    if !hasInput && mayRetry { return retry() }
    if code == .truncated && head == nil { return fail(.connectionLost, detail) }
    return fail(code, detail)
  }

  private mutating func retry() -> Action {
    state = .over
    return .retry
  }

  private mutating func finish(_ outcome: Outcome, keepsConnection: Bool) -> Action {
    state = .over
    return .finish(outcome, keepsConnection: keepsConnection)
  }

  private mutating func fail(_ code: TransportError.Code, _ detail: String) -> Action {
    state = .over
    return .fail(code, detail)
  }

  private var tooLarge: String { TransportError.tooLarge(maximumBodyBytes) }

  private static func code(for error: HTTPParseError) -> TransportError.Code {
    switch error.code {
    case .truncated: .truncated
    case .headTooLarge, .tooManyFields, .trailerTooLarge, .chunkSizeTooLong,
      .chunkExtensionTooLarge, .tooManyInformational:
      .limitExceeded
    default: .protocolViolation
    }
  }

  /// Returns the parser's message, followed by the name of the setting that raises the limit, if
  /// there is one.
  private static func detail(of error: HTTPParseError) -> String {
    let setting: String? =
      switch error.code {
      case .headTooLarge: "headerBytes"
      case .tooManyFields: "headerFields"
      case .trailerTooLarge: "trailerBytes"
      case .chunkSizeTooLong: "chunkSizeDigits"
      default: nil
      }
    return setting.map { "\(error.detail) (network.\($0))" } ?? error.detail
  }
}
