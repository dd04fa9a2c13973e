import SystemCalls

/// A moment on the monotonic clock until which a blocking call may wait.
public struct Deadline: Sendable, Equatable, Comparable {
  /// Nanoseconds of `Machine.monotonicNanoseconds`.
  public let nanoseconds: UInt64

  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  public static let never = Deadline(nanoseconds: .max)

  /// `seconds` from now; at once when negative, never when the sum does not fit.
  public static func after(seconds: Double) -> Deadline {
    guard seconds > 0 else { return Deadline(nanoseconds: Machine.monotonicNanoseconds) }
    guard let wait = UInt64(exactly: (seconds * 1e9).rounded(.up)) else { return .never }
    let (sum, overflow) = Machine.monotonicNanoseconds.addingReportingOverflow(wait)
    return overflow ? .never : Deadline(nanoseconds: sum)
  }

  public static func < (a: Deadline, b: Deadline) -> Bool { a.nanoseconds < b.nanoseconds }

  public var hasPassed: Bool { self != .never && Machine.monotonicNanoseconds >= nanoseconds }

  /// For poll(2): milliseconds from now, rounded up so that a wait never ends early; -1 for never.
  var pollTimeout: Int32 {
    if self == .never { return -1 }
    let now = Machine.monotonicNanoseconds
    guard nanoseconds > now else { return 0 }
    return Int32(clamping: (nanoseconds - now) / 1_000_000 + 1)
  }
}
