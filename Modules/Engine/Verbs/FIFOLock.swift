/// A lock that is granted in the order of the requests. Part of an actor's isolation: the holder may
/// suspend, and no other holder runs in between.
struct FIFOLock {
  private var isLocked = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var next = 0

  var isFree: Bool { !isLocked }

  /// Resumes the continuation when it holds the lock: at once if the lock is free.
  mutating func acquire(_ continuation: CheckedContinuation<Void, Never>) {
    if isLocked {
      waiting.append(continuation)
    } else {
      isLocked = true
      continuation.resume()
    }
  }

  /// Passes the lock to the first waiting continuation, or frees it if none waits.
  mutating func release() {
    guard next < waiting.count else {
      isLocked = false
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

/// A lock for each key: the holder of one key's lock does not delay the holders of other keys.
struct KeyedFIFOLock<Key: Hashable> {
  private var locks: [Key: FIFOLock] = [:]

  /// Whether no lock is held or requested.
  var isFree: Bool { locks.isEmpty }

  /// Returns whether the lock of the key is held.
  func isLocked(_ key: Key) -> Bool { locks[key] != nil }

  mutating func acquire(_ key: Key, _ continuation: CheckedContinuation<Void, Never>) {
    locks[key, default: FIFOLock()].acquire(continuation)
  }

  mutating func release(_ key: Key) {
    locks[key]?.release()
    if locks[key]?.isFree ?? false { locks[key] = nil }
  }
}
