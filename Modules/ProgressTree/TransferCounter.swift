import Synchronization

/// The bytes of one transfer, written by the transport's thread and read by whoever draws:
/// two relaxed atomics, no lock.
public final class TransferCounter: Sendable {
  private let receivedBytes = Atomic<Int64>(0)
  private let expectedBytes = Atomic<Int64>(-1)

  public init() {}

  /// - Parameter total: the whole length in bytes; nil while it is not known.
  public func expect(_ total: Int64?) {
    expectedBytes.store(total ?? -1, ordering: .relaxed)
  }

  /// - Parameter received: bytes that are there, those of earlier attempts included.
  public func set(received: Int64) {
    receivedBytes.store(received, ordering: .relaxed)
  }

  public var received: Int64 { receivedBytes.load(ordering: .relaxed) }

  public var expected: Int64? {
    let value = expectedBytes.load(ordering: .relaxed)
    return value < 0 ? nil : value
  }

  /// 0...1; 0 while the length is not known. A body that is longer than was said counts as whole.
  var fraction: Double {
    guard let expected, expected > 0 else { return 0 }
    return min(1, Double(max(0, received)) / Double(expected))
  }
}
