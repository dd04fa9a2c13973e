import Synchronization

/// A clock whose hands are turned by the test.
final class HandClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var elapsed: Duration
    func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    static func < (a: Instant, b: Instant) -> Bool { a.elapsed < b.elapsed }
  }

  private let elapsed = Mutex(Duration.zero)

  var now: Instant { Instant(elapsed: elapsed.withLock { $0 }) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func turn(_ duration: Duration) { elapsed.withLock { $0 += duration } }

  /// No test waits by this clock.
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    throw CancellationError()
  }
}
