public import Models

/// Whether the bytes of a transfer come too slowly for too long, as curl's `--speed-limit` and
/// `--speed-time` define it. Pure: times are nanoseconds of one monotonic clock, given by the caller.
///
/// The transfer is judged once a window, from the first byte of the answer on. Time in which the
/// client itself does not read (a busy sink, a rate limit) must be excluded by the caller.
public struct SpeedWatch: Sendable, Equatable {
  /// Bytes that a window must bring.
  private let leastBytes: Int64
  /// Nanoseconds; 0: the transfer is never judged.
  private let window: UInt64
  private var start: UInt64?
  private var received: Int64 = 0

  public init(_ limits: TransferLimits) {
    let nanoseconds = limits.lowSpeedTime * 1e9
    let least = Double(limits.lowSpeed) * limits.lowSpeedTime
    guard limits.lowSpeed > 0, limits.lowSpeedTime > 0, nanoseconds < 1e18, least < 1e18 else {
      (leastBytes, window) = (0, 0)
      return
    }
    leastBytes = max(1, Int64(least))
    window = max(1, UInt64(nanoseconds))
  }

  /// The reason why a transfer that was too slow has failed, for people.
  public static func reason(_ url: HTTPURL, _ limits: TransferLimits) -> String {
    let seconds = limits.lowSpeedTime
    let time = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    return "\(url.origin) sent less than \(limits.lowSpeed) bytes a second for \(time) s"
      + " (network.lowSpeed)"
  }

  /// Counts received bytes; 0 for data without a size, such as the head of an answer over HTTP/2.
  /// - Returns: whether this call began the first window, so that there is a deadline from now on.
  public mutating func receive(_ count: Int64, at now: UInt64) -> Bool {
    let (sum, overflow) = received.addingReportingOverflow(count)
    received = overflow ? .max : sum
    guard start == nil, window > 0 else { return false }
    start = now
    return true
  }

  /// The client did not read for so many nanoseconds.
  public mutating func exclude(_ nanoseconds: UInt64) {
    guard let start else { return }
    let (later, overflow) = start.addingReportingOverflow(nanoseconds)
    self.start = overflow ? .max : later
  }

  /// Begins a window again: nothing can be said about the one that was running.
  public mutating func restart(at now: UInt64) {
    guard start != nil else { return }
    start = now
    received = 0
  }

  /// When the running window ends; `UInt64.max` if there is none.
  public var deadline: UInt64 {
    guard let start else { return .max }
    let (end, overflow) = start.addingReportingOverflow(window)
    return overflow ? .max : end
  }

  /// Judges the running window if it has ended, and begins the next one.
  public mutating func isTooSlow(at now: UInt64) -> Bool {
    guard deadline <= now else { return false }
    defer { restart(at: now) }
    return received < leastBytes
  }
}
