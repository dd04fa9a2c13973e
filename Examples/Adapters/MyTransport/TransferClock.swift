import Glibc
import Transport

/// The times of one transfer, in nanoseconds of the monotonic clock. Used by the thread of the transfer.
final class TransferClock {
  let limits: TransferLimits
  private let start: UInt64
  private var speed: SpeedWatch

  init(_ limits: TransferLimits) {
    self.limits = limits
    speed = SpeedWatch(limits)
    start = Self.read()
  }

  var now: UInt64 { Self.read() }
  /// The number of seconds since the transfer began.
  var seconds: Double { Double(now &- start) / 1e9 }
  var totalDeadline: UInt64 { Self.sum(start, limits.totalTimeout) }
  var speedDeadline: UInt64 { speed.deadline }
  var isTooSlow: Bool { speed.isTooSlow(at: now) }

  /// - Parameter seconds: The time until the deadline; 0 means never.
  func deadline(after seconds: Double) -> UInt64 { Self.sum(now, seconds) }

  func received(_ count: Int) { _ = speed.receive(Int64(count), at: now) }

  /// The sink took that long, which is not the server's fault.
  func exclude(from start: UInt64) { speed.exclude(now &- start) }

  /// For poll(2): rounded up, and -1 for a deadline that never comes.
  func milliseconds(until deadline: UInt64) -> Int32 {
    guard deadline < .max else { return -1 }
    let now = now
    return deadline <= now ? 0 : Int32(clamping: (deadline - now + 999_999) / 1_000_000)
  }

  private static func sum(_ time: UInt64, _ seconds: Double) -> UInt64 {
    guard seconds > 0, let wait = UInt64(exactly: (seconds * 1e9).rounded()) else { return .max }
    let (sum, overflow) = time.addingReportingOverflow(wait)
    return overflow ? .max : sum
  }

  private static func read() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
