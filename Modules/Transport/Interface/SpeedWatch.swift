public import Models

/// Detects transfers that stay below a minimum speed for too long, as curl's `--speed-limit` and
/// `--speed-time` define it. A pure state machine; times are nanoseconds of one monotonic clock,
/// passed by the caller.
///
/// The speed is judged once per window, from the first byte of the response on. The caller must
/// exclude the time in which the client does not read (a busy sink, a rate limit).
public struct SpeedWatch: Sendable, Equatable {
  /// The minimum number of bytes that must arrive within a window.
  private let minimumBytes: Int64
  /// The length of a window in nanoseconds; 0 disables the check.
  private let window: UInt64
  private var start: UInt64?
  private var received: Int64 = 0

  public init(_ limits: TransferLimits) {
    let nanoseconds = limits.lowSpeedTime * 1e9
    let least = Double(limits.lowSpeed) * limits.lowSpeedTime
    guard limits.lowSpeed > 0, limits.lowSpeedTime > 0, nanoseconds < 1e18, least < 1e18 else {
      (minimumBytes, window) = (0, 0)
      return
    }
    minimumBytes = max(1, Int64(least))
    window = max(1, UInt64(nanoseconds))
  }

  /// Returns the sentence, for users, about a transfer that failed because it was too slow.
  public static func reason(_ url: HTTPURL, _ limits: TransferLimits) -> String {
    let seconds = limits.lowSpeedTime
    let time = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    return "\(url.origin) sent less than \(limits.lowSpeed) bytes per second for \(time) s"
      + " (network.lowSpeed)"
  }

  /// Counts received bytes; 0 for data without a size, such as the head of a response over HTTP/2.
  /// - Returns: Whether this call began the first window, so that a deadline exists from now on.
  public mutating func receive(_ count: Int64, at now: UInt64) -> Bool {
    let (sum, overflow) = received.addingReportingOverflow(count)
    received = overflow ? .max : sum
    guard start == nil, window > 0 else { return false }
    start = now
    return true
  }

  /// Excludes a time, in nanoseconds, in which the client did not read.
  public mutating func exclude(_ nanoseconds: UInt64) {
    guard let start else { return }
    let (later, overflow) = start.addingReportingOverflow(nanoseconds)
    self.start = overflow ? .max : later
  }

  /// Discards the running window without judging it, and begins another one.
  public mutating func restart(at now: UInt64) {
    guard start != nil else { return }
    start = now
    received = 0
  }

  /// The end of the running window; `UInt64.max` if there is none.
  public var deadline: UInt64 {
    guard let start else { return .max }
    let (end, overflow) = start.addingReportingOverflow(window)
    return overflow ? .max : end
  }

  /// Judges the running window if it has ended, and begins the next one.
  /// - Returns: Whether the transfer was too slow in the window that ended.
  public mutating func isTooSlow(at now: UInt64) -> Bool {
    guard deadline <= now else { return false }
    defer { restart(at: now) }
    return received < minimumBytes
  }
}
