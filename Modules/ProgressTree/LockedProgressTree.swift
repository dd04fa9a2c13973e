public import Foundation
public import Models
import Synchronization

/// A progress tree that consists of a ledger behind one lock. Its two adapters, `foundation` and `counters`,
/// compute the fractions differently, with equal results.
public final class LockedProgressTree: ProgressTracking {
  public enum Adapter: String, Sendable, CaseIterable {
    /// An adapter that computes fractions with a tree of Foundation's `Progress`.
    case foundation
    /// An adapter that computes fractions with integers alone.
    case counters
  }

  private struct State {
    var ledger = ProgressLedger()
    var rate = RateEstimator()
    /// The tree of `Progress`; nil for the adapter `counters`.
    var nodes: FoundationNodes?
  }

  private let state: Mutex<State>
  /// Returns the time since the tree was created, in seconds.
  private let now: @Sendable () -> Double

  /// - Parameter clock: The clock for the transfer rate.
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

  public func activate(
    _ resource: ResourceID, in record: RecordID, label: String
  ) -> TransferCounter {
    state.withLock { $0.ledger.activate(resource, in: record, label: label) }
  }

  public func setStage(_ stage: ResourceStage, of resource: ResourceID) {
    state.withLock { $0.ledger.setStage(stage, of: resource) }
  }

  public func complete(_ resource: ResourceID, failed: Bool) {
    state.withLock { $0.ledger.complete(resource, failed: failed) }
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

  /// Calls `body` with the root of the tree of `Progress` under the lock, which is the only safe access on
  /// Linux. The nodes are valid during the call only and must not be changed; `body` must not call the
  /// progress tree.
  /// - Returns: The result of `body`, or nil for the adapter `counters`, which has no such tree.
  public func withRoot<Result: Sendable>(
    _ body: (Progress) throws -> Result
  ) rethrows -> Result? {
    try state.withLock { state in
      state.nodes?.update(from: state.ledger)
      return try state.nodes.map { try body($0.root) }
    }
  }
}
