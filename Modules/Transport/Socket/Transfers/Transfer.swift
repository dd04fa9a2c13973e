import Models
import SystemCalls
import Transport

/// One hop of a transfer on its way through a loop: what is requested, who gets the answer, and who
/// waits for the end.
///
/// The components that a transfer passes through record their times in it; where it is, only the
/// `TransferDispatcher` says.
///
/// `@unchecked`: `init` runs on the caller's thread, everything after `EventLoop.submit` on the
/// loop's thread.
final class Transfer: @unchecked Sendable {
  typealias Ending = Result<HopResult, TransportError>

  enum Phase {
    case queued, waiting
    case dialing(ConnectionAttempt)
    case exchanging(HTTP1Connection)
    case streaming(HTTP2Stream)
    case over
  }

  /// The points in a transfer's life that `timings` has a time for, in their order.
  enum Milestone {
    case names, connection, handshake, request, firstByte, lastByte
  }

  let id: UInt64
  let url: HTTPURL
  /// The request as HTTP/1.1 puts it on the wire.
  let request: [UInt8]
  /// The fields of the request.
  let fields: HTTPFields
  let limits: TransferLimits
  let addresses: AddressPolicy
  let connectionLimit: Int
  /// The proxy that is connected to in place of the origin; nil for none.
  let proxy: ProxyServer?
  let sink: any BodySink
  /// When the whole transfer was requested, earlier hops included.
  let started: UInt64
  private(set) var timings: TransferTimings
  private(set) var phase = Phase.queued
  /// When the whole transfer must be over; set when it leaves the queue.
  private(set) var totalDeadline = Moment.never
  /// How often a server of HTTP/2 has refused the request without processing it.
  private(set) var refusals = 0
  private var completion: ((Ending) -> Void)?

  init(
    id: UInt64, hop: Hop, connectionLimit: Int, sink: any BodySink,
    completion: @escaping (Ending) -> Void
  ) {
    self.id = id
    url = hop.url
    request = hop.request
    fields = hop.fields
    limits = hop.limits
    addresses = hop.addresses
    proxy = hop.proxy
    self.connectionLimit = connectionLimit
    self.sink = sink
    started = hop.started
    timings = hop.timings
    totalDeadline = hop.totalDeadline
    self.completion = completion
  }

  /// The host and port that are connected to: the proxy's or the origin's.
  var peer: (host: String, port: Int) {
    proxy.map { ($0.host, $0.port) } ?? (url.host, url.port)
  }

  /// Whether an address may be connected to. A host behind a proxy was checked by `NameCheck` before.
  func allows(_ address: IPAddress) -> Bool { proxy != nil || addresses.allows(address) }

  // MARK: - Its way

  func enter(_ phase: Phase) { self.phase = phase }

  /// The transfer's own time begins, if it has not begun with an earlier connection or hop.
  func leaveQueue() {
    let now = Machine.monotonicNanoseconds
    if timings.queue == nil { timings.queue = elapsed(now) }
    if totalDeadline == Moment.never {
      totalDeadline = Moment.after(now, seconds: limits.totalTimeout)
    }
  }

  /// Stores the time of a milestone. Of names and first bytes the first one counts; a second connection
  /// replaces the times of the first one for the others.
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

  /// Counts that a server of HTTP/2 has refused the request without processing it.
  func countRefusal() { refusals += 1 }

  func finish(_ ending: Ending) {
    phase = .over
    completion?(ending)
    completion = nil
  }

  func finish(_ outcome: Exchange.Outcome, _ head: ResponseHead) {
    switch outcome {
    case .body(let body): finish(.success(.response(head, body, timings)))
    case .redirect:
      finish(.success(.redirect(head, timings, totalDeadline: totalDeadline)))
    }
  }

  /// Milliseconds since the whole transfer was requested, as `timings` has them.
  private func elapsed(_ now: UInt64) -> Double {
    Moment.milliseconds(from: started, to: now)
  }
}

/// All that a loop needs for one request.
struct Hop: Sendable {
  let url: HTTPURL
  let request: [UInt8]
  let fields: HTTPFields
  let limits: TransferLimits
  let addresses: AddressPolicy
  let proxy: ProxyServer?
  let started: UInt64
  var timings = TransferTimings()
  var totalDeadline = Moment.never
}

/// How one hop ended.
enum HopResult: Sendable {
  case response(ResponseHead, TransportResponse.Body, TransferTimings)
  case redirect(ResponseHead, TransferTimings, totalDeadline: UInt64)
}
