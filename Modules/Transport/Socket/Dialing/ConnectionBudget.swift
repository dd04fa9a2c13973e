/// The limit on simultaneous connections to all hosts, and a first-in, first-out queue of the loops
/// that wait for a permit.
///
/// A pure state machine. A released permit passes directly to the first waiting loop.
struct ConnectionBudget<Loop: Equatable> {
  private let limit: Int
  private(set) var inUse = 0
  private var waiting = Queue<Loop>()

  /// - Parameter limit: The maximum number of connections, at least 1.
  init(limit: Int) { self.limit = max(1, limit) }

  /// Whether a loop waits for a permit.
  var isWanted: Bool { !waiting.isEmpty }

  /// Acquires a permit; if none is free, queues the loop, which a later `release` returns.
  /// - Returns: Whether the permit was acquired.
  mutating func acquire(for loop: Loop) -> Bool {
    guard inUse < limit else {
      waiting.append(loop)
      return false
    }
    inUse += 1
    return true
  }

  /// Releases a permit.
  /// - Returns: The waiting loop that now owns the permit; nil if the permit is free.
  mutating func release() -> Loop? {
    if let next = waiting.popFirst() { return next }
    inUse = max(0, inUse - 1)
    return nil
  }

  /// Removes a loop that has ended from the queue. The loop must have released its permits before.
  mutating func remove(_ loop: Loop) {
    var left = Queue<Loop>()
    while let other = waiting.popFirst() { if other != loop { left.append(other) } }
    waiting = left
  }
}
