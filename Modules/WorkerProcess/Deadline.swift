import SystemCalls

/// A moment on the monotonic clock until which a blocking call may wait.
public struct Deadline: Sendable, Equatable, Comparable {
  /// The moment in nanoseconds of `Machine.monotonicNanoseconds`; the maximum value means never.
  public let nanoseconds: UInt64

  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  public static let never = Deadline(nanoseconds: .max)

  static var now: Deadline { Deadline(nanoseconds: Machine.monotonicNanoseconds) }

  /// Returns the deadline after a number of seconds: now if it is not positive, never if it is too large to
  /// represent.
  public static func after(seconds: Double) -> Deadline {
    guard seconds > 0 else { return Deadline(nanoseconds: Machine.monotonicNanoseconds) }
    guard let wait = UInt64(exactly: (seconds * 1e9).rounded(.up)) else { return .never }
    let (sum, overflow) = Machine.monotonicNanoseconds.addingReportingOverflow(wait)
    return overflow ? .never : Deadline(nanoseconds: sum)
  }

  public static func < (a: Deadline, b: Deadline) -> Bool { a.nanoseconds < b.nanoseconds }

  public var hasPassed: Bool { self != .never && Machine.monotonicNanoseconds >= nanoseconds }

  /// The time until the deadline in seconds; 0 if it has passed.
  public var remainingSeconds: Double {
    guard self != .never else { return .infinity }
    let now = Machine.monotonicNanoseconds
    return nanoseconds > now ? Double(nanoseconds - now) / 1e9 : 0
  }

  /// The timeout for poll(2): milliseconds from now, rounded up so that no wait ends early, or -1 for never.
  var pollTimeout: Int32 {
    if self == .never { return -1 }
    let now = Machine.monotonicNanoseconds
    guard nanoseconds > now else { return 0 }
    return Int32(clamping: (nanoseconds - now) / 1_000_000 + 1)
  }
}
