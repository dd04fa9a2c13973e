import SystemCalls

/// Wakes the engine at a time; an alarm that is set again forgets the time before. Part of the engine's
/// isolation.
struct Alarm {
  private var task: Task<Void, Never>?
  /// In seconds on the engine's clock; nil means it is not set.
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

  /// Forgets the time of an alarm that went off.
  mutating func clear() { time = nil }

  mutating func cancel() {
    task?.cancel()
    task = nil
    time = nil
  }
}
