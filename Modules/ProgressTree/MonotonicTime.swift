import Glibc

/// The machine's monotonic clock.
public enum MonotonicTime {
  /// Only differences mean something.
  public static let seconds: @Sendable () -> Double = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
