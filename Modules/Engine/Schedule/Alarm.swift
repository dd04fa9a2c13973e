import SystemCalls

/// Wakes the engine at a given time. Setting the alarm again replaces the earlier time. Part of the
/// engine's isolation.
struct Alarm {
  private var task: Task<Void, Never>?
  /// The time of the alarm, in seconds on the engine's clock; nil if it is not set.
  private(set) var time: Double?

  mutating func set(
    _ time: Double, _ clock: any MonotonicClock, _ wake: @escaping @Sendable () async -> Void
  ) {
    task?.cancel()
    self.time = time
    task = Task {
      guard (try? await clock.sleep(until: time)) != nil else { return }
      await wake()
    }
  }

  /// Forgets the time of an alarm that has fired.
  mutating func clear() { time = nil }

  mutating func cancel() {
    task?.cancel()
    task = nil
    time = nil
  }
}
