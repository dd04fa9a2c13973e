import Models
import SystemCalls
import Transport

/// One call of `perform` in the loop: its request, and how far it is. Belongs to the loop's thread.
final class Transfer {
  let submission: Submission
  /// The hop that is requested now. Begins again when a helper died.
  var policy: RedirectPolicy
  /// nil while the transfer waits.
  var exchange: Exchange?
  /// The head that the sink has accepted. A second run must come to the same one.
  var accepted: ResponseHead?
  /// Bytes that the sink has, over all runs.
  var delivered: Int64 = 0
  /// When it left the queue for the first time.
  var startedAt: UInt64?
  var firstByteAt: UInt64?

  init(_ submission: Submission) {
    self.submission = submission
    policy = RedirectPolicy(submission.request)
    addresses = submission.request.addresses
  }

  var id: UInt64 { submission.id }

  /// Where the current hop may lead.
  private(set) var addresses: AddressPolicy

  /// A redirect leads away from that host. The helper does not report which address answered, so a
  /// name counts as public unless it can only mean this machine.
  func restrictAddresses(afterLeaving: String) {
    addresses = addresses.afterHop(
      from: IPAddress(afterLeaving) ?? (afterLeaving == "localhost" ? .loopback : nil))
  }

  var limits: TransferLimits { submission.request.limits }

  /// Back to the queue after a helper died: the attempt has not happened.
  func rewind() {
    exchange = nil
    policy = RedirectPolicy(submission.request)
    addresses = submission.request.addresses
  }

  /// The moment, in nanoseconds, at which the transfer fails if nothing happens, and why.
  var deadline: (time: UInt64, code: TransportError.Code)? {
    var earliest: (time: UInt64, code: TransportError.Code)?
    func consider(_ start: UInt64?, _ seconds: Double, _ code: TransportError.Code) {
      guard let start, seconds > 0, let wait = UInt64(exactly: (seconds * 1e9).rounded()) else {
        return
      }
      let time = start &+ wait
      if time < earliest?.time ?? .max { earliest = (time, code) }
    }
    consider(startedAt, limits.totalTimeout, .totalTimeout)
    if let exchange, exchange.end == nil {
      if exchange.owesAcknowledgement {
        // The adapter itself is slow: the helper may not report before the sink has what is there.
      } else {
        if exchange.connection != .notYet {
          consider(exchange.lastActivity, limits.idleTimeout, .idleTimeout)
        }
        if exchange.connection != .made {
          consider(exchange.lastActivity, limits.connectTimeout, .connectTimeout)
        }
        if exchange.speed.deadline < earliest?.time ?? .max {
          earliest = (exchange.speed.deadline, .lowSpeed)
        }
      }
    }
    return earliest
  }

  func error(_ code: TransportError.Code, _ detail: String) -> TransportError {
    TransportError(
      code, url: policy.url, detail: TransportError.escaped(detail, limit: 400),
      bytesDelivered: delivered)
  }

  func timings(lastByteAt: UInt64?) -> TransferTimings {
    func milliseconds(_ time: UInt64?) -> Double? {
      // Another process took the time: it may not lie before our own.
      time.map { Double(max($0, submission.askedAt) - submission.askedAt) / 1e6 }
    }
    var timings = TransferTimings()
    timings.queue = milliseconds(startedAt)
    timings.firstByte = milliseconds(firstByteAt)
    timings.lastByte = milliseconds(lastByteAt)
    return timings
  }
}

/// One request in a helper.
struct Exchange {
  enum End {
    case done(bytes: Int64, time: UInt64)
    case failed(ExchangeFailure)
  }

  /// Looked up only when a deadline depends on it.
  enum Connection { case unknown, notYet, made }

  let number: UInt64
  let slot: SlotScheduler.Slot
  let spool: OwnedDescriptor
  var head: ResponseHead? {
    didSet { connection = .made }
  }
  var connection = Connection.unknown
  /// Bytes in the spool.
  var available: Int64 = 0
  /// Bytes of the spool that are dealt with.
  var consumed: Int64 = 0
  /// The helper waits for our word before it reports more.
  var owesAcknowledgement = false
  var end: End?
  /// Nanoseconds: when something last came.
  var lastActivity: UInt64
  /// How fast the answer comes.
  var speed: SpeedWatch
}
