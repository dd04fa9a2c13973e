import Models
import Transport

/// One request and its response on one stream: what `Exchange` is to a connection of HTTP/1.1.
///
/// After `finish`, `fail`, `retry` or `useHTTP1` the exchange is over.
struct HTTP2Exchange {
  enum Event {
    case head(status: Int, HTTPFields)
    case sinkDecided(BodyDecision)
    case data(Range<Int>)
    case end
    case closed(HTTP2Closing)
    /// The connection is gone, with the reason.
    case broken(HTTP2Failure)
  }

  enum Action: Equatable {
    case none
    /// Ask the sink whether it wants the body of `head`, and pass its decision to `handle(_:)`.
    case begin
    /// These offsets of the input belong to the sink.
    case deliver(Range<Int>)
    /// The outcome stands; the rest of the stream, if any, is not wanted.
    case finish(Exchange.Outcome)
    case fail(TransportError.Code, String)
    /// The server has not touched the request: ask again.
    case retry
    /// Ask again by HTTP/1.1.
    case useHTTP1
  }

  private enum State {
    case head, undecided, body, over
  }

  private var state = State.head
  private let mayRetry: Bool
  private let maximumBodyBytes: Int64
  private var expected: Int64?
  private(set) var head: (status: Int, fields: HTTPFields)?
  /// Body bytes handed to the sink.
  private(set) var bytesDelivered: Int64 = 0

  /// - Parameter isReused: whether the connection has answered before. If it ends before it
  ///   answers this request, it was closed while the request was on its way.
  init(isReused: Bool, maximumBodyBytes: Int64) {
    mayRetry = isReused
    self.maximumBodyBytes = maximumBodyBytes
  }

  mutating func handle(_ event: Event) -> Action {
    if case .over = state { return .none }
    switch event {
    case .head(let status, let fields): return receiveHead(status, fields)
    case .sinkDecided(.accept):
      state = .body
      if let expected, expected > maximumBodyBytes { return fail(.limitExceeded, tooLarge) }
      return .none
    case .sinkDecided(.refuse): return finish(.body(.refused))
    case .data(let range): return receive(range)
    case .end: return finish(.body(.complete(byteCount: bytesDelivered, isLengthKnown: true)))
    case .closed(let closing): return closed(closing)
    case .broken(let failure): return connectionFailed(failure)
    }
  }

  private mutating func receiveHead(_ status: Int, _ fields: HTTPFields) -> Action {
    head = (status, fields)
    expected = fields["Content-Length"].flatMap { Int64($0) }
    if RedirectPolicy.isRedirect(status: status) { return finish(.redirect) }
    state = .undecided
    return .begin
  }

  private mutating func receive(_ range: Range<Int>) -> Action {
    // Data before the head, or before the sink has accepted it, is dropped.
    guard case .body = state else { return .none }
    let count = Int64(range.count)
    guard count <= maximumBodyBytes - bytesDelivered else {
      return fail(.limitExceeded, tooLarge)
    }
    guard count > 0 else { return .none }
    bytesDelivered += count
    return .deliver(range)
  }

  private mutating func closed(_ closing: HTTP2Closing) -> Action {
    switch closing {
    case .ended:
      return fail(.protocolViolation, "the stream ended without a response")
    case .unprocessed where head == nil:
      state = .over
      return .retry
    case .wantsHTTP1 where head == nil:
      state = .over
      return .useHTTP1
    case .unprocessed, .wantsHTTP1:
      return fail(.truncated, "the server broke off the stream")
    case .reset(let code):
      return fail(
        head == nil ? .connectionLost : .truncated, "the server reset the stream (\(code))")
    case .violation(let reason, let isLimit):
      // The library does not tell a body of another length from other offences.
      if !isLimit, let expected, bytesDelivered < expected {
        return fail(.truncated, "the body is not of the \(expected) bytes that were announced")
      }
      return fail(isLimit ? .limitExceeded : .protocolViolation, reason)
    }
  }

  private mutating func connectionFailed(_ failure: HTTP2Failure) -> Action {
    switch failure.kind {
    case .limit: return fail(.limitExceeded, failure.reason)
    case .violation: return fail(.protocolViolation, failure.reason)
    case .ended where mayRetry && head == nil:
      state = .over
      return .retry
    case .ended: return fail(head == nil ? .connectionLost : .truncated, failure.reason)
    }
  }

  private mutating func finish(_ outcome: Exchange.Outcome) -> Action {
    state = .over
    return .finish(outcome)
  }

  private mutating func fail(_ code: TransportError.Code, _ detail: String) -> Action {
    state = .over
    return .fail(code, detail)
  }

  private var tooLarge: String { TransportError.tooLarge(maximumBodyBytes) }
}
