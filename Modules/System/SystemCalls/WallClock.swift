/// The time of day: for what is kept, and for what servers say about how long an answer is fresh. It
/// may jump; waits go by a `MonotonicClock`.
public protocol WallClock: Sendable {
  /// Seconds since 1970-01-01 00:00 UTC.
  func unixSeconds() -> Int64
}

extension SystemClock: WallClock {
  public func unixSeconds() -> Int64 { Machine.unixSeconds }
}
