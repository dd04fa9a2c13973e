import Synchronization

/// Hashers to use again: making one takes four allocations, too many for thousands of short files a second.
public final class HasherPool: Sendable {
  /// @unchecked Sendable: only the thread that took a hasher from the pool uses it.
  private struct Resting: @unchecked Sendable {
    let hasher: SHA256Hasher
  }

  /// The largest number of hashers kept.
  private static let limit = 256

  private let resting = Mutex<[Resting]>([])

  public init() {}

  /// One that has seen nothing.
  public func take() -> SHA256Hasher {
    resting.withLock { $0.popLast() }?.hasher ?? SHA256Hasher()
  }

  /// - Parameter hasher: is not used any more by the caller.
  public func put(_ hasher: SHA256Hasher) {
    hasher.reset()
    let new = Resting(hasher: hasher)
    resting.withLock { resting in
      if resting.count < Self.limit { resting.append(new) }
    }
  }
}
