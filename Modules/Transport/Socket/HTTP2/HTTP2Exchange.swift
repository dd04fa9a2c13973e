import Models
import Transport

/// The state machine of one request and its response on an HTTP/2 stream, like `Exchange` for
/// HTTP/1.1.
///
/// After `finish`, `fail`, `retry` or `useHTTP1` the exchange is over.
struct HTTP2Exchange {
  enum Event {
    case head(status: Int, HTTPFields)
    /// The response to a misdirected request is not wanted, because the request is sent again.
    case repeatsMisdirected
    case sinkDecided(BodyDecision)
    case data(Range<Int>)
    case end
    case closed(HTTP2Closing)
    /// The connection has failed or ended.
    case broken(HTTP2Failure)
  }

  enum Action: Equatable {
    case none
    /// Pass `head` to the sink, and the sink's decision about the body to `handle(_:)`.
    case begin
    /// Send the request again over another connection, and pass `repeatsMisdirected` to `handle(_:)`; or do what
    /// `begin` demands.
    case misdirected
    /// Pass the body bytes at these offsets of the input to the sink.
    case deliver(Range<Int>)
    /// End the exchange with this outcome; the rest of the stream is not wanted.
    case finish(Exchange.Outcome)
    case fail(TransportError.Code, String)
    /// Send the request again, because the server has not processed it.
    case retry(HTTP2Refusal)
    /// Send the request again over HTTP/1.1.
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
  /// The number of body bytes passed to the sink.
  private(set) var bytesDelivered: Int64 = 0

  /// - Parameter isReused: Whether the connection has answered an earlier request. If a reused
  ///   connection ends without a response, the server may have closed it before the request
  ///   arrived, so the request is sent again.
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
    case .repeatsMisdirected:
      state = .over
      return .retry(.misdirected)
    case .data(let range): return receive(range)
    case .end: return finish(.body(.complete(byteCount: bytesDelivered, isLengthKnown: true)))
    case .closed(let closing): return closed(closing)
    case .broken(let failure): return connectionFailed(failure)
    }
  }

  private mutating func receiveHead(_ status: Int, _ fields: HTTPFields) -> Action {
    head = (status, fields)
    expected = fields["Content-Length"].flatMap { Int64($0) }
    state = .undecided
    guard status >= 300 else { return .begin }
    if RedirectPolicy.isRedirect(status: status) { return finish(.redirect) }
    return status == RedirectPolicy.misdirected ? .misdirected : .begin
  }

  private mutating func receive(_ range: Range<Int>) -> Action {
    // Data that arrives before the head, or before the sink has accepted the body, is dropped.
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
    case .unprocessed(let refusal) where head == nil:
      state = .over
      return .retry(refusal)
    case .wantsHTTP1 where head == nil:
      state = .over
      return .useHTTP1
    case .unprocessed, .wantsHTTP1:
      return fail(.truncated, "the server aborted the stream")
    case .reset(let code):
      return fail(
        head == nil ? .connectionLost : .truncated, "the server reset the stream (\(code))")
    case .violation(let reason, let isLimit):
      // libnghttp2 reports a body of the wrong length with the same error as other violations.
      if !isLimit, let expected, bytesDelivered < expected {
        return fail(
          .truncated, "the length of the body differs from the declared \(expected) bytes")
      }
      return fail(isLimit ? .limitExceeded : .protocolViolation, reason)
    }
  }

  private mutating func connectionFailed(_ failure: HTTP2Failure) -> Action {
    switch failure.kind {
    case .limit: return fail(.limitExceeded, failure.reason)
    case .violation: return fail(.protocolViolation, failure.reason)
    case .http1Required where head == nil:
      state = .over
      return .useHTTP1
    case .ended where mayRetry && head == nil:
      state = .over
      return .retry(.connectionLost)
    case .ended, .http1Required:
      return fail(head == nil ? .connectionLost : .truncated, failure.reason)
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
