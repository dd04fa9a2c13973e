/// Gives out turns, one at a time, in the order in which they were asked for. Part of an actor's
/// isolation: whoever has the turn may await, and nobody else with a turn comes between.
struct Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var next = 0

  /// - Returns: whether the turn was free and is the caller's now; else it must `wait`.
  mutating func take() -> Bool {
    guard isTaken else {
      isTaken = true
      return true
    }
    return false
  }

  mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
    waiting.append(continuation)
  }

  /// Hands the turn to whoever has waited longest.
  mutating func pass() {
    guard next < waiting.count else {
      isTaken = false
      return
    }
    let continuation = waiting[next]
    next += 1
    if next == waiting.count {
      waiting = []
      next = 0
    }
    continuation.resume()
  }
}
