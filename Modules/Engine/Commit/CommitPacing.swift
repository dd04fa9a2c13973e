/// The steps of a batch; each turn does one step for a part of the batch, or commits what parts of it wrote.
enum BatchStep: Int, CaseIterable {
  case lookUp, note, finish, tell, commit

  /// Whether its parts change rows.
  var writes: Bool { self == .note || self == .finish }
}

/// When batches and evictions are due, how much of a batch goes into one turn, and who waits for batches.
/// Part of the engine's isolation.
struct CommitPacing {
  /// More than so many uncommitted files, and downloads wait: a slow disk slows the network.
  /// While one batch is on its way to the disk and another is full, the third gathers.
  static let uncommittedLimit = 4 * CommitQueue.batchSize

  /// Whether the next batch waits for more to come.
  private(set) var isGathering = false
  /// Whether downloads wait for the disk.
  private(set) var isDiskBehind = false
  /// Whether the books of the caches have changed, or their bounds.
  private(set) var isEvictionDue = true
  private var waiters: [CheckedContinuation<Void, Never>] = []
  /// One for each step: they differ in what a row costs. A batch continues at the pace of the one before.
  private var paces: [RowPace]

  /// A commit of fewer rows writes nearly as many pages.
  private static let commitRows = 64...CommitQueue.batchSize

  /// - Parameter rows: how many rows of a batch one turn may take.
  init(rows: ClosedRange<Int> = 8...256) {
    paces = BatchStep.allCases.map { step in
      step == .commit ? RowPace(within: Self.commitRows, longest: 0.004) : RowPace(within: rows)
    }
  }

  // MARK: - Gathering

  mutating func beginGathering() { isGathering = true }

  mutating func endGathering() { isGathering = false }

  // MARK: - Back pressure

  /// - Parameter uncommitted: how many files are not committed now.
  /// - Returns: whether downloads wait from now on; nil where that has not changed.
  mutating func diskBehindChange(_ uncommitted: Int) -> Bool? {
    guard
      isDiskBehind ? uncommitted <= Self.uncommittedLimit / 2 : uncommitted > Self.uncommittedLimit
    else { return nil }
    isDiskBehind.toggle()
    return isDiskBehind
  }

  // MARK: - Evictions

  mutating func requestEviction() { isEvictionDue = true }

  /// The eviction that is due begins or is abandoned; what changes from now on requests another one.
  mutating func clearEviction() { isEvictionDue = false }

  // MARK: - Parts

  /// How many rows the next part of a step may take.
  func rows(of step: BatchStep) -> Int { paces[step.rawValue].rows }

  /// - Parameter seconds: what the last part of the step took.
  mutating func note(_ seconds: Double, of step: BatchStep) { paces[step.rawValue].note(seconds) }

  // MARK: - Waiting

  var isAwaited: Bool { !waiters.isEmpty }

  /// Resumes when the next batch has ended.
  mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
    waiters.append(continuation)
  }

  mutating func wakeWaiters() {
    let woken = waiters
    waiters = []
    for waiter in woken { waiter.resume() }
  }
}
