/// Grants turns one at a time, in the order of the requests. Part of an actor's isolation: the holder of
/// the turn may suspend, and no other holder runs in between.
struct Turns {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var next = 0

  var isFree: Bool { !isTaken }

  /// Resumes the continuation when it gets the turn: at once if the turn is free.
  mutating func acquire(_ continuation: CheckedContinuation<Void, Never>) {
    if isTaken {
      waiting.append(continuation)
    } else {
      isTaken = true
      continuation.resume()
    }
  }

  /// Passes the turn to the first waiting continuation.
  mutating func release() {
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

  /// Whether no turn is held or requested.
  var isFree: Bool { turns.isEmpty }

  /// Returns whether the turn of the key is held.
  func isTaken(_ key: Key) -> Bool { turns[key] != nil }

  mutating func acquire(_ key: Key, _ continuation: CheckedContinuation<Void, Never>) {
    turns[key, default: Turns()].acquire(continuation)
  }

  mutating func release(_ key: Key) {
    turns[key]?.release()
    if turns[key]?.isFree ?? false { turns[key] = nil }
  }
}
