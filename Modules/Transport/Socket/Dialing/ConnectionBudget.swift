/// The limit of simultaneous connections to all hosts, with a queue of the loops that wait for a permit;
/// first come, first served.
///
/// A pure machine. A released permit passes to the first waiting loop, without being free in between.
struct ConnectionBudget<Loop: Equatable> {
  private let limit: Int
  private(set) var inUse = 0
  private var waiting = Queue<Loop>()

  /// - Parameter limit: at least 1.
  init(limit: Int) { self.limit = max(1, limit) }

  /// Whether a loop waits for a permit.
  var isWanted: Bool { !waiting.isEmpty }

  /// Acquires a permit, or waits in line until `release` returns the loop.
  mutating func acquire(for loop: Loop) -> Bool {
    guard inUse < limit else {
      waiting.append(loop)
      return false
    }
    inUse += 1
    return true
  }

  /// - Returns: whose the permit is now, if it is not free.
  mutating func release() -> Loop? {
    if let next = waiting.popFirst() { return next }
    inUse = max(0, inUse - 1)
    return nil
  }

  /// A loop has ended; its connections have been given back one by one.
  mutating func remove(_ loop: Loop) {
    var left = Queue<Loop>()
    while let other = waiting.popFirst() { if other != loop { left.append(other) } }
    waiting = left
  }
}
