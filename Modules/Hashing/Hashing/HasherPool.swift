import Synchronization

/// A pool of hashers for reuse: the creation of a hasher takes four allocations, too many for
/// thousands of short files per second.
public final class HasherPool: Sendable {
  /// `@unchecked Sendable`: only the thread that acquired a hasher from the pool uses it.
  private struct PooledHasher: @unchecked Sendable {
    let hasher: SHA256Hasher
  }

  /// The maximum number of pooled hashers.
  private static let limit = 256

  private let hashers = Mutex<[PooledHasher]>([])

  public init() {}

  /// Returns a hasher without input.
  public func acquire() -> SHA256Hasher {
    hashers.withLock { $0.popLast() }?.hasher ?? SHA256Hasher()
  }

  /// Returns a hasher to the pool.
  /// - Parameter hasher: The hasher, which the caller must not use any more.
  public func release(_ hasher: SHA256Hasher) {
    hasher.reset()
    let new = PooledHasher(hasher: hasher)
    hashers.withLock { resting in
      if resting.count < Self.limit { resting.append(new) }
    }
  }
}
