import Synchronization
import SystemCalls

/// A token bucket that limits the bytes read per second.
///
/// A pure state machine; times are nanoseconds of `CLOCK_MONOTONIC`.
struct TokenBucket: Equatable {
  /// The maximum number of bytes per read, so that one connection does not use the bytes of a whole
  /// second at once.
  static let portion = 16_384

  private let rate: Double
  private let capacity: Double
  private var tokens: Double
  private var last: UInt64

  /// - Parameter rate: The rate in bytes per second, at least 1.
  init(rate: Int, now: UInt64) {
    self.rate = Double(max(1, rate))
    // A burst is at most the bytes of a tenth of a second.
    capacity = max(1_024, self.rate / 10)
    tokens = 0
    last = now
  }

  /// Removes a portion from the bucket.
  /// - Returns: The number of bytes that may be read; 0 if too few are left for a read.
  mutating func acquire(now: UInt64) -> Int {
    refill(now)
    guard tokens >= minimumPortion else { return 0 }
    let portion = min(Double(Self.portion), tokens.rounded(.down))
    tokens -= portion
    return Int(portion)
  }

  /// Puts bytes that were acquired but not read back into the bucket.
  mutating func release(_ count: Int) { tokens = min(capacity, tokens + Double(count)) }

  /// Returns the time at which `acquire` returns bytes again.
  func time(now: UInt64) -> UInt64 {
    guard tokens < minimumPortion else { return now }
    return now &+ UInt64((minimumPortion - tokens) / rate * 1e9) &+ 1
  }

  private var minimumPortion: Double { min(1_024, capacity) }

  private mutating func refill(_ now: UInt64) {
    guard now > last else { return }
    tokens = min(capacity, tokens + rate * Double(now - last) / 1e9)
    last = now
  }
}

/// The token bucket that all event loops share.
final class RateLimiter: Sendable {
  private let bucket: Mutex<TokenBucket>

  /// Returns nil for a rate of 0, which means no limit.
  init?(rate: Int) {
    guard rate > 0 else { return nil }
    bucket = Mutex(TokenBucket(rate: rate, now: Machine.monotonicNanoseconds))
  }

  func acquire() -> Int { bucket.withLock { $0.acquire(now: Machine.monotonicNanoseconds) } }

  func release(_ count: Int) { bucket.withLock { $0.release(count) } }

  var nextTime: UInt64 { bucket.withLock { $0.time(now: Machine.monotonicNanoseconds) } }
}
