import Synchronization

/// A pool of hashers for reuse: creating one takes four allocations, too many for thousands of
/// short files per second.
public final class HasherPool: Sendable {
  /// `@unchecked Sendable`: only the thread that acquired a hasher from the pool uses it.
  private struct Resting: @unchecked Sendable {
    let hasher: SHA256Hasher
  }

  /// The maximum number of pooled hashers.
  private static let limit = 256

  private let resting = Mutex<[Resting]>([])

  public init() {}

  /// Returns a hasher without input.
  public func take() -> SHA256Hasher {
    resting.withLock { $0.popLast() }?.hasher ?? SHA256Hasher()
  }

  /// Returns a hasher to the pool.
  /// - Parameter hasher: The hasher, which the caller must not use any more.
  public func put(_ hasher: SHA256Hasher) {
    hasher.reset()
    let new = Resting(hasher: hasher)
    resting.withLock { resting in
      if resting.count < Self.limit { resting.append(new) }
    }
  }
}
