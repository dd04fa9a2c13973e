/// Gives out turns, one at a time, in the order in which they were requested. Part of an actor's
/// isolation: whoever has the turn may await, and nobody else with a turn comes between.
struct Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var next = 0

  var isFree: Bool { !isTaken }

  /// Resumes when the turn is the caller's: at once if it is free.
  mutating func take(_ continuation: CheckedContinuation<Void, Never>) {
    if isTaken {
      waiting.append(continuation)
    } else {
      isTaken = true
      continuation.resume()
    }
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

/// Turns by key: the holder of one key's turn does not delay the turns of other keys.
struct KeyedTurns<Key: Hashable> {
  private var turns: [Key: Turns] = [:]

  /// No turn is held or waited for.
  var isFree: Bool { turns.isEmpty }

  /// Whether the turn of that key is held.
  func isTaken(_ key: Key) -> Bool { turns[key] != nil }

  mutating func take(_ key: Key, _ continuation: CheckedContinuation<Void, Never>) {
    turns[key, default: Turns()].take(continuation)
  }

  mutating func pass(_ key: Key) {
    turns[key]?.pass()
    if turns[key]?.isFree ?? false { turns[key] = nil }
  }
}
