import Models
import SystemCalls
import Transport

/// One call of `perform` in the `HelperLoop`, with its request and progress. Confined to the thread
/// of the loop.
final class Transfer {
  let submission: Submission
  /// The redirect policy with the current hop. Reset to the first hop when the helper has died.
  var policy: RedirectPolicy
  /// The current exchange; nil while the transfer waits.
  var exchange: Exchange?
  /// The head that the sink has accepted; a second run, after a helper died, must receive an
  /// equivalent head.
  var accepted: ResponseHead?
  /// The number of bytes that the sink has received, over all runs.
  var delivered: Int64 = 0
  /// The time at which the transfer first left the queue; nil while it has never run.
  var startedAt: UInt64?
  var firstByteAt: UInt64?

  init(_ submission: Submission) {
    self.submission = submission
    policy = RedirectPolicy(submission.request)
    addresses = submission.request.addresses
  }

  var id: UInt64 { submission.id }

  /// The addresses to which the current hop may connect.
  private(set) var addresses: AddressPolicy

  /// Restricts the addresses after a redirect from a host. The helper does not report which address
  /// answered, so a name counts as public unless it can only denote this machine.
  func restrictAddresses(afterLeaving: String) {
    addresses = addresses.afterHop(
      from: IPAddress(afterLeaving) ?? (afterLeaving == "localhost" ? .loopback : nil))
  }

  var limits: TransferLimits { submission.request.limits }

  /// Resets the transfer to its first hop for another run, because its helper died, which does not
  /// count as an attempt.
  func resetForRetry() {
    exchange = nil
    policy = RedirectPolicy(submission.request)
    addresses = submission.request.addresses
  }

  /// The deadline in nanoseconds, and the error code with which the transfer then fails; nil if
  /// there is none.
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
        // The sink is slow: the helper may not report progress before the sink has received the
        // bytes in the spool file, so only the total timeout applies.
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
      // The times are measured by the helper; a time before the call of `perform` counts as the
      // time of the call.
      time.map { Double(max($0, submission.requestedAt) - submission.requestedAt) / 1e6 }
    }
    var timings = TransferTimings()
    timings.queue = milliseconds(startedAt)
    timings.firstByte = milliseconds(firstByteAt)
    timings.lastByte = milliseconds(lastByteAt)
    return timings
  }
}

/// One request in a helper, and its progress.
struct Exchange {
  enum End {
    case done(bytes: Int64, time: UInt64)
    case failed(ExchangeFailure)
  }

  /// The state of the connection, determined only when a deadline depends on it.
  enum Connection { case unknown, notYet, made }

  let number: UInt64
  let slot: SlotScheduler.Slot
  let spool: OwnedDescriptor
  /// The check of the helper's events.
  var sequence: ExchangeSequence
  var head: ResponseHead? {
    didSet { connection = .made }
  }
  var connection = Connection.unknown
  /// The number of body bytes in the spool file.
  var available: Int64 = 0
  /// The number of bytes of the spool file that the sink has received or that were skipped.
  var consumed: Int64 = 0
  /// Whether the helper waits for an acknowledgement before it reports more progress.
  var owesAcknowledgement = false
  var end: End?
  /// The time in nanoseconds from which the idle and connect timeouts count.
  var lastActivity: UInt64
  /// The check of the response's minimum speed.
  var speed: SpeedWatch
}
