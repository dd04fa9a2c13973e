/// A monotonic clock for waits. Tests use a clock that they control.
public protocol MonotonicClock: Sendable {
  /// Returns the time in seconds since an arbitrary moment. The time never jumps.
  func now() -> Double
  /// Suspends the caller until a time of this clock; throws if the task is cancelled.
  func sleep(until time: Double) async throws
}

/// The machine's monotonic clock.
public struct SystemClock: MonotonicClock {
  private let start = ContinuousClock().now

  public init() {}

  public func now() -> Double {
    let elapsed = start.duration(to: ContinuousClock().now).components
    return Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
  }

  public func sleep(until time: Double) async throws {
    try await Task.sleep(until: start.advanced(by: .seconds(time)), clock: .continuous)
  }
}
