/// The time of day, for stored times and for the freshness of responses. The time of day may jump,
/// so waits use a `MonotonicClock` instead.
public protocol WallClock: Sendable {
  /// The current time in seconds since 1970-01-01 00:00 UTC.
  func unixSeconds() -> Int64
}

extension SystemClock: WallClock {
  public func unixSeconds() -> Int64 { Machine.unixSeconds }
}
