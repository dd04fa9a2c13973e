/// Decides from the rate of a transfer whether further connections are worth their requests. Pure: no clock.
///
/// A fast server delivers a file in order over one connection, so that its digest is complete with its last byte; the
/// parts of several connections arrive out of order, and are hashed afterwards.
struct SegmentPace: Sendable, Equatable {
  /// The time in seconds after which a rate is known well enough.
  private static let measuredSeconds = 0.05

  /// The number of bytes of the file at the beginning of the response.
  let start: Int64
  /// The time of the response, in nanoseconds of the monotonic clock.
  let startedAt: UInt64
  /// The time in seconds for the rest of the file, from which on further connections are worth it; 0 if they always are.
  let seconds: Double

  /// Whether the rest of the file would take longer than `seconds` at the average rate so far.
  /// - Parameters:
  ///   - count: The number of bytes of the file that were received.
  ///   - total: The length of the file in bytes.
  ///   - now: The time in nanoseconds of the monotonic clock.
  func isSlow(_ count: Int64, of total: Int64, at now: UInt64) -> Bool {
    guard seconds > 0 else { return true }
    let elapsed = Double(now &- startedAt) / 1e9
    return elapsed >= Self.measuredSeconds
      && Double(total &- count) * elapsed > seconds * Double(count &- start)
  }
}
