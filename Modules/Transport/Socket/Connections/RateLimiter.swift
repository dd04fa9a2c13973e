import Synchronization
import SystemCalls

/// A token bucket that limits the bytes read per second.
///
/// A pure state machine; times are nanoseconds of `CLOCK_MONOTONIC`.
struct TokenBucket: Equatable {
  /// The maximum number of bytes per read, so that one connection does not use the bytes of a whole
  /// second at once.
  static let portion = 16_384

  /// The rate in bytes per second.
  let rate: Double
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

/// A token bucket that several threads share, and whose rate can be changed at any time.
final class RateLimiter: Sendable {
  /// The bucket; nil while there is no limit.
  private let bucket: Mutex<TokenBucket?>
  /// Whether there is a limit, so that a read without a limit takes no lock.
  private let isActive: Atomic<Bool>

  /// - Parameter rate: The rate in bytes per second; 0 means no limit.
  init(rate: Int) {
    bucket = Mutex(Self.bucket(rate))
    isActive = Atomic(rate > 0)
  }

  private static func bucket(_ rate: Int) -> TokenBucket? {
    rate > 0 ? TokenBucket(rate: rate, now: Machine.monotonicNanoseconds) : nil
  }

  /// Changes the rate; 0 means no limit from now on. The same rate again has no effect.
  func setRate(_ rate: Int) {
    bucket.withLock { bucket in
      if bucket?.rate != Double(rate) { bucket = Self.bucket(rate) }
    }
    isActive.store(rate > 0, ordering: .relaxed)
  }

  var hasLimit: Bool { isActive.load(ordering: .relaxed) }

  /// Removes a portion from the bucket.
  /// - Returns: The number of bytes that may be read; 0 if too few are left.
  func acquire() -> Int {
    bucket.withLock { $0?.acquire(now: Machine.monotonicNanoseconds) ?? TokenBucket.portion }
  }

  /// Puts bytes that were acquired but not read back into the bucket.
  func release(_ count: Int) { bucket.withLock { $0?.release(count) } }

  /// The time at which `acquire` returns bytes again.
  var nextTime: UInt64 {
    let now = Machine.monotonicNanoseconds
    return bucket.withLock { $0?.time(now: now) ?? now }
  }
}
