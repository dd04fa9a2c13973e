import Models

/// The position of a job in the order.
struct QueueKey: Sendable, Comparable {
  let precedence: Precedence
  /// The id of the first subscriber, which no other job has.
  let id: ResourceID
  let request: RequestKey

  static func < (a: Self, b: Self) -> Bool {
    a.precedence == b.precedence ? a.id < b.id : a.precedence < b.precedence
  }
}

/// A list of waiting jobs in the order in which they start: by precedence, then by id, except that a job that
/// yields (`Job.yields`) lets the next starts precede its own. Part of `WaitingWindow`.
///
/// A job never yields to one of lower precedence, and at most `yieldingLimit` jobs of a list yield: the jobs
/// behind them keep their places. Otherwise a host that fails every request would fill the window with jobs
/// that only the memory knows, and those of other hosts would find no room.
struct StartOrder: Sendable {
  private struct Yielding: Sendable, Comparable {
    let key: QueueKey
    /// The number of starts from which the job precedes all others of its precedence.
    let turn: Int

    static func < (a: Self, b: Self) -> Bool {
      let (first, second) = (a.key.precedence, b.key.precedence)
      if first != second { return first < second }
      return a.turn == b.turn ? a.key.id < b.key.id : a.turn < b.turn
    }
  }

  /// The number of starts that a job lets precede its own after the server has throttled it. So few that a job
  /// of a long queue is tried again soon, and so many that it causes few backoffs of its host.
  static let yields = 32
  static let yieldingLimit = 64

  /// Both lists are in descending order: the next job is last, so that removing it is cheap.
  private var keys: [QueueKey] = []
  private var yielding: [Yielding] = []
  /// The number of starts that count for the jobs that yield.
  private var starts = 0

  var count: Int { keys.count + yielding.count }
  var isEmpty: Bool { keys.isEmpty && yielding.isEmpty }

  /// The precedence of the next job; nil if there is none.
  var precedence: Precedence? {
    [keys.last?.precedence, yielding.last?.key.precedence].compactMap { $0 }.min()
  }

  /// Returns up to `count` of the last jobs, without those that yield.
  func last(_ count: Int) -> ArraySlice<QueueKey> { keys.prefix(count) }

  /// Records the start of a job that counts for the jobs that yield.
  mutating func recordStart() { starts += 1 }

  /// O(log n) comparisons, plus the moves of the positions behind the new one.
  mutating func insert(_ key: QueueKey, yields: Int) {
    if yields > 0, yielding.count < Self.yieldingLimit {
      yielding.insertDescending(Yielding(key: key, turn: starts + yields))
    } else {
      keys.insertDescending(key)
    }
  }

  /// Inserts positions that do not yield.
  mutating func insert(_ new: [QueueKey]) {
    guard let next = new.min(), let last = new.max() else { return }
    // Usually new jobs are in order and behind all others.
    let backwards = new.count > 1 ? new.sorted(by: >) : new
    if let behind = keys.first, next < behind {
      if last == next {
        keys.insertDescending(next)
      } else {
        keys = (keys + backwards).sorted(by: >)
      }
    } else {
      keys.insert(contentsOf: backwards, at: 0)
    }
  }

  /// Removes a position.
  /// - Returns: The number of starts that the job would still have let precede its own.
  mutating func remove(_ key: QueueKey) -> Int {
    guard let index = yielding.firstIndex(where: { $0.key == key }) else {
      keys.removeDescending(key)
      return 0
    }
    return max(0, yielding.remove(at: index).turn - starts)
  }

  /// Removes the next position.
  /// - Returns: The position, and the number of starts that its job would still have let precede its own.
  mutating func popNext() -> (key: QueueKey, yields: Int)? {
    guard let job = yielding.last, !isPreceded(job) else {
      return keys.popLast().map { ($0, 0) }
    }
    yielding.removeLast()
    return (job.key, max(0, job.turn - starts))
  }

  private func isPreceded(_ job: Yielding) -> Bool {
    guard let next = keys.last else { return false }
    return next.precedence == job.key.precedence
      ? job.turn > starts : next.precedence < job.key.precedence
  }
}

extension Array where Element: Comparable {
  /// Inserts an element into a list in descending order. O(log n) comparisons, plus the moves of the
  /// elements behind the new one.
  mutating func insertDescending(_ new: Element) {
    insert(new, at: boundary { $0 > new })
  }

  /// Removes an element from a list in descending order; does nothing if the list does not contain it.
  mutating func removeDescending(_ old: Element) {
    let index = boundary { $0 > old }
    if index < count, self[index] == old { remove(at: index) }
  }
}

extension Array {
  /// Returns the first index for which `isBefore` is false, in a list that begins with all elements for
  /// which it is true.
  func boundary(_ isBefore: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
