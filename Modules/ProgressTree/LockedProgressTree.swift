public import Foundation
public import Models
import Synchronization

/// The adapters `foundation` and `counters`: one ledger behind one lock, and two ways to make
/// fractions of it that give the same numbers.
public final class LockedProgressTree: ProgressTracking {
  public enum Adapter: String, Sendable, CaseIterable {
    /// A tree of Foundation's `Progress`.
    case foundation
    /// Whole numbers only.
    case counters
  }

  private struct State {
    var ledger = ProgressLedger()
    var rate = RateEstimator()
    /// Only of `foundation`.
    var nodes: FoundationNodes?
  }

  private let state: Mutex<State>
  /// Seconds since the beginning.
  private let now: @Sendable () -> Double

  /// - Parameter clock: of the rate.
  public init(_ adapter: Adapter, clock: some Clock<Duration> = ContinuousClock()) {
    state = Mutex(State(nodes: adapter == .foundation ? FoundationNodes() : nil))
    let start = clock.now
    now = {
      let elapsed = start.duration(to: clock.now).components
      return Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    }
  }

  public func addRecord(_ id: RecordID, title: String, total: Int, finished: Int, failed: Int) {
    state.withLock {
      $0.ledger.addRecord(id, title: title, total: total, finished: finished, failed: failed)
    }
  }

  public func removeRecord(_ id: RecordID) {
    state.withLock { $0.ledger.removeRecord(id) }
  }

  public func begin(
    _ resource: ResourceID, in record: RecordID, label: String
  ) -> TransferCounter {
    state.withLock { $0.ledger.begin(resource, in: record, label: label) }
  }

  public func stage(_ resource: ResourceID, _ stage: ResourceStage) {
    state.withLock { $0.ledger.stage(resource, stage) }
  }

  public func settle(_ resource: ResourceID, failed: Bool) {
    state.withLock { $0.ledger.settle(resource, failed: failed) }
  }

  public func suspend(_ resource: ResourceID, keepsBytes: Bool) {
    state.withLock { $0.ledger.suspend(resource, keepsBytes: keepsBytes) }
  }

  public func snapshot(of records: RecordSelection) -> LibraryProgress {
    let time = now()
    return state.withLock { state in
      state.ledger.collectBytes()
      state.rate.observe(state.ledger.sums.bytes, at: time)
      state.nodes?.update(from: state.ledger)
      return state.ledger.snapshot(
        of: records, bytesPerSecond: state.rate.bytesPerSecond, nodes: state.nodes)
    }
  }

  /// Looks at the tree of `Progress` under its lock, the only safe way on Linux. The nodes are valid
  /// during the call only, and are not to be changed; do not call this tree from `body`.
  /// - Returns: nil for an adapter without such a tree.
  public func withRoot<Result: Sendable>(
    _ body: (Progress) throws -> Result
  ) rethrows -> Result? {
    try state.withLock { state in
      state.nodes?.update(from: state.ledger)
      return try state.nodes.map { try body($0.root) }
    }
  }
}
