import Models
import SystemCalls
import Transport

/// One hop of a transfer in an event loop: the request, the sink that receives the response, and
/// the completion callback.
///
/// The components of the event loop record milestones with `reach`; only `TransferDispatcher` sets
/// the phase.
///
/// `@unchecked Sendable`: `init` runs on the caller's thread; after `EventLoop.submit` only the
/// loop's thread uses the object.
final class Transfer: @unchecked Sendable {
  typealias Completion = Result<HopResult, TransportError>

  enum Phase {
    case queued, waiting
    case dialing(ConnectionAttempt)
    case exchanging(HTTP1Connection)
    case streaming(HTTP2Stream)
    case over
  }

  /// The steps of a transfer whose times `timings` contains, in their order.
  enum Milestone {
    case names, connection, handshake, request, firstByte, lastByte
  }

  let id: UInt64
  let url: HTTPURL
  /// The request as serialized for HTTP/1.1.
  let request: [UInt8]
  /// The fields of the request, which HTTP/2 encodes in its own form.
  let fields: HTTPFields
  let limits: TransferLimits
  /// The rate limit of this transfer alone; nil if it has none.
  let limiter: RateLimiter?
  let addresses: AddressPolicy
  /// Whether a redirect has left the origin of the first hop.
  let hasLeftOrigin: Bool
  let connectionLimit: Int
  /// The proxy to which the hop connects instead of the origin; nil means none.
  let proxy: ProxyServer?
  let sink: any BodySink
  /// The time at which the whole transfer was requested, in nanoseconds of `CLOCK_MONOTONIC`.
  let started: UInt64
  private(set) var timings: TransferTimings
  private(set) var phase = Phase.queued
  /// The deadline of the whole transfer, which is set when the first hop leaves the queue.
  private(set) var totalDeadline = Moment.never
  /// The refusals of the request by HTTP/2 servers that have not processed it.
  private var refusals = Refusals()
  /// Whether the request was sent again over another connection, because the server had called it misdirected.
  private var wasMisdirected = false
  private var completion: ((Completion) -> Void)?

  init(
    id: UInt64, hop: Hop, connectionLimit: Int, sink: any BodySink,
    completion: @escaping (Completion) -> Void
  ) {
    self.id = id
    url = hop.url
    request = hop.request
    fields = hop.fields
    limits = hop.limits
    limiter = hop.limits.bytesPerSecond > 0 ? RateLimiter(rate: hop.limits.bytesPerSecond) : nil
    addresses = hop.addresses
    hasLeftOrigin = hop.hasLeftOrigin
    proxy = hop.proxy
    self.connectionLimit = connectionLimit
    self.sink = sink
    started = hop.started
    timings = hop.timings
    totalDeadline = hop.totalDeadline
    self.completion = completion
  }

  /// The host and port to which the hop connects: the proxy's or the origin's.
  var peer: (host: String, port: Int) {
    proxy.map { ($0.host, $0.port) } ?? (url.host, url.port)
  }

  /// Whether the proxy receives the request itself, rather than a request for a tunnel.
  var isForwarded: Bool { proxy?.forwards(url.scheme) ?? false }

  /// Returns whether the hop may connect to an address. Every address is allowed for a hop through
  /// a proxy, because `NameCheck` has already checked the host of the URL.
  func allows(_ address: IPAddress) -> Bool { proxy != nil || addresses.allows(address) }

  // MARK: - Progress

  func enter(_ phase: Phase) { self.phase = phase }

  /// Records the time in the queue and starts the total timeout, unless an earlier connection or
  /// hop of the transfer has already done so.
  func leaveQueue() {
    let now = Machine.monotonicNanoseconds
    if timings.queue == nil { timings.queue = elapsed(now) }
    if totalDeadline == Moment.never {
      totalDeadline = Moment.after(now, seconds: limits.totalTimeout)
    }
  }

  /// Records the time of a milestone. A second connection for the same hop replaces the recorded
  /// time, except for `names` and `firstByte`, of which the first time is kept.
  func reach(_ milestone: Milestone, at now: UInt64 = Machine.monotonicNanoseconds) {
    switch milestone {
    case .names: if timings.dns == nil { timings.dns = elapsed(now) }
    case .connection: timings.connect = elapsed(now)
    case .handshake: timings.tls = elapsed(now)
    case .request: timings.request = elapsed(now)
    case .firstByte: if timings.firstByte == nil { timings.firstByte = elapsed(now) }
    case .lastByte: timings.lastByte = elapsed(now)
    }
  }

  /// The number of times that an HTTP/2 server has left the request unprocessed.
  var refusalCount: Int { refusals.count }

  /// Counts a refusal by an HTTP/2 server that did not process the request.
  /// - Returns: Whether the request may be sent again.
  func countRefusal(_ refusal: HTTP2Refusal, hasAnswered: Bool, answers: Int) -> Bool {
    refusals.count(refusal, hasAnswered: hasAnswered, answers: answers)
  }

  /// Decides what the status 421 means. The first time, it concerns the connection; over another connection, it
  /// concerns the request, and is the response.
  /// - Returns: Whether the request is sent again.
  func repeatsMisdirected() -> Bool {
    defer { wasMisdirected = true }
    return !wasMisdirected
  }

  /// Forgets the time of a response after which the request is sent again.
  func forgetResponse() { timings.firstByte = nil }

  func complete(_ ending: Completion) {
    phase = .over
    completion?(ending)
    completion = nil
  }

  func complete(_ outcome: Exchange.Outcome, _ head: ResponseHead) {
    switch outcome {
    case .body(let body): complete(.success(.response(head, body, timings)))
    case .redirect:
      complete(.success(.redirect(head, timings, totalDeadline: totalDeadline)))
    }
  }

  /// Returns the milliseconds since the whole transfer was requested, the unit of `timings`.
  private func elapsed(_ now: UInt64) -> Double {
    Moment.milliseconds(from: started, to: now)
  }
}

/// The data that an event loop needs for one hop.
struct Hop: Sendable {
  let url: HTTPURL
  let request: [UInt8]
  let fields: HTTPFields
  let limits: TransferLimits
  let addresses: AddressPolicy
  let proxy: ProxyServer?
  let started: UInt64
  var hasLeftOrigin = false
  var timings = TransferTimings()
  var totalDeadline = Moment.never
}

/// The result of one hop.
enum HopResult: Sendable {
  case response(ResponseHead, TransportResponse.Body, TransferTimings)
  case redirect(ResponseHead, TransferTimings, totalDeadline: UInt64)
}
