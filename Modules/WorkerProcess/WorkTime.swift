/// The time that a helper has for a piece of work: processor time, so that a busy machine fails no work, and ten
/// times as long on the clock, for a helper that waits instead of working.
///
/// A pure value, which reads no clock.
public struct WorkTime: Sendable, Equatable {
  /// The time on the clock as a multiple of the processor time.
  static let waitFactor = 10.0
  /// The words for the time on the clock before the limit of the processor time.
  public static let waitWords = "ten times the time of"

  /// What has ended the time.
  public enum End: Sendable, Equatable { case processor, clock }

  /// What a check of the time results in.
  enum Check: Equatable {
    /// The time cannot be over before this moment on the clock.
    case again(at: Deadline)
    case over(End)
  }

  /// The shortest interval in nanoseconds between two checks.
  private static let minimumInterval: UInt64 = 5_000_000

  /// The processor time for the work in seconds.
  let seconds: Double
  /// The processor time of the helper, in nanoseconds, at which its time is over; nil if that time is unknown, so
  /// that only the clock counts.
  private let processorLimit: UInt64?
  /// The moment at which the time is over on the clock.
  public private(set) var deadline: Deadline
  /// The first moment at which the processor time can be used up, by a helper that computes without a pause on
  /// one processor; later the moment that the last check named.
  private var firstUse: Deadline
  /// The processor time of the helper, in nanoseconds, from which the limit of the kernel counts; nil if that
  /// time is unknown.
  let kernelBase: UInt64?

  /// - Parameters:
  ///   - seconds: The processor time of all threads of the helper.
  ///   - used: The processor time that the helper has used so far, in nanoseconds; nil if it is unknown.
  ///   - kernelBase: The processor time from which the limit of the kernel counts; by default `used`.
  ///   - now: The moment at which the work begins.
  init(seconds: Double, used: UInt64?, kernelBase: UInt64? = nil, now: Deadline) {
    self.seconds = seconds
    self.kernelBase = kernelBase ?? used
    processorLimit = used.map { Self.sum($0, seconds) }
    deadline = Deadline(
      nanoseconds: Self.sum(now.nanoseconds, seconds * Self.waitFactor))
    firstUse =
      processorLimit == nil
      ? .never : Deadline(nanoseconds: Self.sum(now.nanoseconds, seconds))
  }

  /// Returns the same processor time with another deadline.
  public func ending(at deadline: Deadline) -> WorkTime {
    var time = self
    time.deadline = deadline
    return time
  }

  /// Whether so much of the time was used that the kernel must be told a new limit before another part of the
  /// work begins.
  func needsKernelLimit(used: UInt64) -> Bool {
    used >= Self.sum(kernelBase ?? 0, seconds / 2)
  }

  /// The moment of the next check, before which the time cannot be over.
  public var nextCheck: Deadline { min(deadline, firstUse) }

  /// Checks the time, and keeps the moment of the next check.
  /// - Returns: What has ended the time; nil if it is not over.
  mutating func end(used: UInt64?, now: Deadline) -> End? {
    switch check(used: used, now: now) {
    case .over(let end): return end
    case .again(let moment):
      firstUse = moment
      return nil
    }
  }

  /// Checks the time.
  /// - Parameter used: The processor time that the helper has used so far, in nanoseconds; nil if it is unknown,
  ///   for example because the helper has ended.
  func check(used: UInt64?, now: Deadline) -> Check {
    if now >= deadline, deadline != .never { return .over(.clock) }
    guard let limit = processorLimit, let used else { return .again(at: deadline) }
    guard used < limit else { return .over(.processor) }
    let (next, overflow) = now.nanoseconds.addingReportingOverflow(
      max(limit - used, Self.minimumInterval))
    return .again(at: overflow ? deadline : min(deadline, Deadline(nanoseconds: next)))
  }

  /// Returns the number of nanoseconds after some seconds more, or the maximum if it cannot be represented.
  private static func sum(_ nanoseconds: UInt64, _ seconds: Double) -> UInt64 {
    guard let more = UInt64(exactly: (max(0, seconds) * 1e9).rounded(.up)) else { return .max }
    let (sum, overflow) = nanoseconds.addingReportingOverflow(more)
    return overflow ? .max : sum
  }
}
