import Synchronization

/// How far one transfer is. One thread writes, the transport's: relaxed stores, no lock. Anybody
/// reads; the numbers of one transfer may be a moment apart.
public final class TransferCounter: Sendable {
  private let position = Atomic<Int64>(0)
  private let length = Atomic<Int64>(-1)
  private let moved = Atomic<Int64>(0)
  /// How many of the moved bytes the tree has added up. Only touched under the tree's lock.
  private let accounted = Atomic<Int64>(0)

  public init() {}

  /// A body begins.
  /// - Parameters:
  ///   - total: the whole length of the file in bytes, if it is known.
  ///   - start: bytes that are there from before and do not come over the network again.
  public func expect(_ total: Int64?, from start: Int64 = 0) {
    length.store(total ?? -1, ordering: .relaxed)
    position.store(start, ordering: .relaxed)
  }

  /// - Parameter received: bytes of the file that are there now.
  public func set(received: Int64) {
    let step = received &- position.load(ordering: .relaxed)
    position.store(received, ordering: .relaxed)
    // Backwards means from the beginning again: that came over the network, too, but byte by byte.
    if step > 0 { moved.store(moved.load(ordering: .relaxed) &+ step, ordering: .relaxed) }
  }

  /// Bytes of the file that are there.
  public var received: Int64 { position.load(ordering: .relaxed) }

  /// The whole length, if it is known.
  public var expected: Int64? {
    let length = length.load(ordering: .relaxed)
    return length < 0 ? nil : length
  }

  /// The bytes that moved since the last call. Under the tree's lock.
  func takeNewBytes() -> Int64 {
    let moved = moved.load(ordering: .relaxed)
    let new = moved &- accounted.load(ordering: .relaxed)
    accounted.store(moved, ordering: .relaxed)
    return new
  }
}
