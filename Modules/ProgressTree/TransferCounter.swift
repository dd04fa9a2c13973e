public import Models
import Synchronization

/// The byte counters of one transfer. Only the transport's thread writes them, with relaxed stores and
/// without a lock. Any thread may read them; the values are not consistent with each other at every moment.
public final class TransferCounter: Sendable {
  private let position = Atomic<Int64>(0)
  private let length = Atomic<Int64>(-1)
  private let moved = Atomic<Int64>(0)
  /// The width in the upper and the height in the lower 32 bits; 0 while they are unknown.
  private let pixels = Atomic<UInt64>(0)
  private let connectionCount = Atomic<Int>(1)
  /// The number of moved bytes that the progress tree has already added. Accessed only under the tree's lock.
  private let accounted = Atomic<Int64>(0)

  public init() {}

  /// Records that a response body begins.
  /// - Parameters:
  ///   - total: The length of the whole file in bytes, or nil if it is unknown.
  ///   - start: The number of bytes already on the disk, which are not transferred again.
  public func expect(_ total: Int64?, from start: Int64 = 0) {
    length.store(total ?? -1, ordering: .relaxed)
    takeBack(to: start)
    position.store(start, ordering: .relaxed)
    if start == 0 { pixels.store(0, ordering: .relaxed) }
  }

  /// Records the dimensions of the image, which its first bytes state.
  public func set(dimensions: ImageDimensions) {
    pixels.store(
      UInt64(dimensions.width) << 32 | UInt64(dimensions.height), ordering: .relaxed)
  }

  /// The dimensions of the image; nil while they are unknown.
  public var dimensions: ImageDimensions? {
    let pixels = pixels.load(ordering: .relaxed)
    return ImageDimensions(width: Int(pixels >> 32), height: Int(pixels & 0xffff_ffff))
  }

  /// Records the number of connections that receive the file, if it is not one.
  public func set(connections count: Int) { connectionCount.store(count, ordering: .relaxed) }

  /// The number of connections that receive the file.
  public var connections: Int { connectionCount.load(ordering: .relaxed) }

  /// Records the progress of the transfer.
  /// - Parameter received: The number of bytes of the file received so far.
  public func set(received: Int64) {
    let step = received &- position.load(ordering: .relaxed)
    position.store(received, ordering: .relaxed)
    if step > 0 { moved.store(moved.load(ordering: .relaxed) &+ step, ordering: .relaxed) }
  }

  /// Takes bytes back that were discarded, because the transfer has restarted from a lower position. They would
  /// otherwise count twice, and more bytes would be shown than the file has.
  private func takeBack(to start: Int64) {
    let discarded = position.load(ordering: .relaxed) &- start
    guard discarded > 0 else { return }
    moved.store(
      max(0, moved.load(ordering: .relaxed) &- discarded), ordering: .relaxed)
  }

  /// The number of bytes of the file received so far.
  public var received: Int64 { position.load(ordering: .relaxed) }

  /// The length of the whole file in bytes, or nil if it is unknown.
  public var expected: Int64? {
    let length = length.load(ordering: .relaxed)
    return length < 0 ? nil : length
  }

  /// Returns the number of bytes moved since the last call, which is negative after a restart. The caller holds
  /// the tree's lock.
  func drainNewBytes() -> Int64 {
    let moved = moved.load(ordering: .relaxed)
    let new = moved &- accounted.load(ordering: .relaxed)
    accounted.store(moved, ordering: .relaxed)
    return new
  }
}
