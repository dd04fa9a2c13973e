/// The steps of a batch. Each turn runs one step for a part of the batch, or commits the writes of several
/// parts.
enum BatchStep: Int, CaseIterable {
  case lookUp, writeStoredRows, finish, announce, commit

  /// Whether the step changes rows of the store.
  var writes: Bool { self == .writeStoredRows || self == .finish }
}

/// Decides when batches and evictions are due and how many rows of a batch one turn handles, and resumes
/// the callers that wait for batches. Part of the engine's isolation.
struct CommitPacing {
  /// The number of uncommitted files above which downloads wait, so that a slow disk slows the network. The
  /// limit leaves room for a batch being written, a full one and one that gathers.
  static let uncommittedLimit = 4 * CommitQueue.batchSize

  /// Whether the next batch is waiting for more work.
  private(set) var isGathering = false
  /// Whether downloads are waiting for the disk.
  private(set) var isDiskBehind = false
  /// Whether the usage of a cache, or its limits, have changed since the last eviction.
  private(set) var isEvictionDue = true
  private var waiters: [CheckedContinuation<Void, Never>] = []
  /// For each step of a batch, the number of rows that one turn may handle. Each step has its own number,
  /// because the cost of a row depends on the step. A batch starts with the numbers of the previous batch.
  private var paces: [RowPace]

  /// The bounds of the number of rows per commit. A commit of fewer rows than the lower bound would write
  /// nearly as many database pages.
  private static let commitRows = 64...CommitQueue.batchSize

  /// - Parameter rows: The bounds of the number of rows that one turn handles.
  init(rows: ClosedRange<Int> = 64...256) {
    paces = BatchStep.allCases.map { step in
      step == .commit ? RowPace(within: Self.commitRows, longest: 0.004) : RowPace(within: rows)
    }
  }

  // MARK: - Gathering

  mutating func beginGathering() { isGathering = true }

  mutating func endGathering() { isGathering = false }

  // MARK: - Back pressure

  /// Updates `isDiskBehind`. The disk has caught up when half of `uncommittedLimit` is left.
  /// - Parameter uncommitted: The current number of uncommitted files.
  /// - Returns: Whether downloads must wait from now on; nil if that has not changed.
  mutating func diskBehindChange(_ uncommitted: Int) -> Bool? {
    guard
      isDiskBehind ? uncommitted <= Self.uncommittedLimit / 2 : uncommitted > Self.uncommittedLimit
    else { return nil }
    isDiskBehind.toggle()
    return isDiskBehind
  }

  // MARK: - Evictions

  mutating func requestEviction() { isEvictionDue = true }

  /// Clears the request for an eviction, because it begins or is abandoned. Later changes request another
  /// one.
  mutating func clearEviction() { isEvictionDue = false }

  // MARK: - Parts

  /// Returns the number of rows that the next part of a step may handle.
  func rows(of step: BatchStep) -> Int { paces[step.rawValue].rows }

  /// Adapts the number of rows per turn to `seconds`, the time that the last part of the step took.
  mutating func recordDuration(_ seconds: Double, of step: BatchStep) {
    paces[step.rawValue].adapt(to: seconds)
  }

  // MARK: - Waiting

  var isAwaited: Bool { !waiters.isEmpty }

  /// Resumes the continuation when the next batch has ended.
  mutating func addWaiter(_ continuation: CheckedContinuation<Void, Never>) {
    waiters.append(continuation)
  }

  mutating func wakeWaiters() {
    let woken = waiters
    waiters = []
    for waiter in woken { waiter.resume() }
  }
}
