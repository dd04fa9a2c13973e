import Synchronization
import SystemCalls

/// How many bytes may be read now, so that no second brings more than the rate: a token bucket.
///
/// A pure machine; times are nanoseconds of `CLOCK_MONOTONIC`.
struct TokenBucket: Equatable {
  /// Bytes at one time, so that no connection takes a second's worth before the others.
  static let portion = 16_384

  private let rate: Double
  private let capacity: Double
  private var tokens: Double
  private var last: UInt64

  /// - Parameter rate: bytes per second, at least 1.
  init(rate: Int, now: UInt64) {
    self.rate = Double(max(1, rate))
    // A burst is at most the bytes of a tenth of a second.
    capacity = max(1_024, self.rate / 10)
    tokens = 0
    last = now
  }

  /// Takes a portion from the bucket; 0 if too little is left for a read that is worth its call.
  mutating func acquire(now: UInt64) -> Int {
    refill(now)
    guard tokens >= least else { return 0 }
    let portion = min(Double(Self.portion), tokens.rounded(.down))
    tokens -= portion
    return Int(portion)
  }

  /// Puts back bytes that were acquired and not read.
  mutating func release(_ count: Int) { tokens = min(capacity, tokens + Double(count)) }

  /// When `acquire` will give something again.
  func time(now: UInt64) -> UInt64 {
    guard tokens < least else { return now }
    return now &+ UInt64((least - tokens) / rate * 1e9) &+ 1
  }

  private var least: Double { min(1_024, capacity) }

  private mutating func refill(_ now: UInt64) {
    guard now > last else { return }
    tokens = min(capacity, tokens + rate * Double(now - last) / 1e9)
    last = now
  }
}

/// The bucket that all loops draw from.
final class RateLimiter: Sendable {
  private let bucket: Mutex<TokenBucket>

  /// Nil for a rate of 0, which is no limit.
  init?(rate: Int) {
    guard rate > 0 else { return nil }
    bucket = Mutex(TokenBucket(rate: rate, now: Machine.monotonicNanoseconds))
  }

  func acquire() -> Int { bucket.withLock { $0.acquire(now: Machine.monotonicNanoseconds) } }

  func release(_ count: Int) { bucket.withLock { $0.release(count) } }

  var nextTime: UInt64 { bucket.withLock { $0.time(now: Machine.monotonicNanoseconds) } }
}
