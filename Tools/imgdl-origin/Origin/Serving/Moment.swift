import Glibc

/// A point in time on both clocks, in milliseconds.
public struct Moment: Sendable, Equatable {
  /// Since 1970-01-01 00:00 UTC.
  public let wall: Double
  /// Since some moment of this boot; never set back.
  public let monotonic: Double

  static var now: Moment {
    Moment(wall: read(CLOCK_REALTIME), monotonic: read(CLOCK_MONOTONIC))
  }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec / 1_000) / 1_000
  }
}

extension Duration {
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
  }
}
