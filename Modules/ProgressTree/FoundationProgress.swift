public import Foundation
public import Models
import Synchronization

/// Progress by a tree of Foundation's `Progress`: library → record → active resource.
///
/// A resource counts 100: download 90, unzip 5, render 5. Only active resources own a `Progress`;
/// when one is settled, its `Progress` leaves the tree and its 100 become completed units of the
/// record. `Progress` is not safe under simultaneous use on Linux: every touch happens under the
/// one lock of the tree.
public final class FoundationProgress: ProgressTracking {
  private struct Tree: ~Copyable {
    var book = ProgressBook()
    var root = Progress(totalUnitCount: 0)
    var records: [RecordID: Progress] = [:]
    var active: [ResourceID: Progress] = [:]
    /// Of resources that went back into the queue: a child cannot be taken out of a `Progress`, so
    /// it waits there, empty, until they are active again.
    var parked: [ResourceID: Progress] = [:]
  }

  private let tree = Mutex(Tree())
  private let now: @Sendable () -> Double

  /// - Parameter now: seconds on a monotonic clock.
  public init(now: @escaping @Sendable () -> Double = MonotonicTime.seconds) {
    self.now = now
  }

  /// Looks at the root of the tree under its lock. The `Progress` must not be kept.
  public func withRoot<Value>(_ body: (Progress) -> sending Value) -> sending Value {
    tree.withLock { tree in
      Self.refresh(&tree)
      return body(tree.root)
    }
  }

  public func addRecord(
    _ id: RecordID, title: String, total: Int, finished: Int, failed: Int
  ) {
    tree.withLock { tree in
      tree.book.addRecord(id, title: title, total: total, finished: finished, failed: failed)
      Self.rebuild(&tree, id)
    }
  }

  public func removeRecord(_ id: RecordID) {
    tree.withLock { tree in
      for resource in tree.book.removeRecord(id) { tree.active[resource] = nil }
      tree.records[id] = nil
      // `Progress` cannot let go of a child: the tree is made anew.
      Self.rebuildAll(&tree)
    }
  }

  public func begin(
    _ resource: ResourceID, in record: RecordID, label: String
  ) -> TransferCounter {
    tree.withLock { tree in
      guard let counter = tree.book.begin(resource, in: record, label: label) else {
        return tree.book.active[resource]?.counter ?? TransferCounter()
      }
      if let parked = tree.parked.removeValue(forKey: resource) {
        tree.active[resource] = parked
        return counter
      }
      let progress = Progress(totalUnitCount: 100)
      tree.records[record]?.addChild(progress, withPendingUnitCount: 100)
      tree.active[resource] = progress
      return counter
    }
  }

  public func stage(_ resource: ResourceID, _ stage: ResourceStage) {
    tree.withLock { $0.book.stage(resource, stage) }
  }

  public func settle(_ resource: ResourceID, failed: Bool) {
    tree.withLock { tree in
      tree.book.settle(resource, failed: failed)
      // A finished child gives its 100 to the record for good.
      if let progress = tree.active.removeValue(forKey: resource) {
        progress.completedUnitCount = progress.totalUnitCount
      }
    }
  }

  public func suspend(_ resource: ResourceID) {
    tree.withLock { tree in
      guard tree.book.end(resource) != nil,
        let progress = tree.active.removeValue(forKey: resource)
      else { return }
      progress.completedUnitCount = 0
      tree.parked[resource] = progress
    }
  }

  public func snapshot() -> LibraryProgress {
    let time = now()
    return tree.withLock { tree in
      Self.refresh(&tree)
      let records = tree.records
      return tree.book.snapshot(at: time, libraryFraction: Self.fraction(tree.root)) {
        records[$0].map(Self.fraction) ?? 0
      }
    }
  }

  private static func fraction(_ progress: Progress) -> Double {
    progress.totalUnitCount > 0 ? min(1, max(0, progress.fractionCompleted)) : 1
  }

  /// Brings the active resources up to what their counters say.
  private static func refresh(_ tree: inout Tree) {
    for (id, progress) in tree.active {
      guard let entry = tree.book.active[id] else { continue }
      // The last unit is held back until the resource is settled: a `Progress` that finishes,
      // goes on and finishes again would be counted twice.
      let units = min(entry.units, 99)
      if progress.completedUnitCount != units { progress.completedUnitCount = units }
    }
  }

  /// Makes the node of a record, or makes it anew with what is settled and what is active.
  private static func rebuild(_ tree: inout Tree, _ id: RecordID) {
    if tree.records[id] != nil { return rebuildAll(&tree) }
    guard let node = node(&tree, id) else { return }
    let share = node.totalUnitCount
    tree.root.totalUnitCount += share
    tree.root.addChild(node, withPendingUnitCount: share)
    tree.records[id] = node
  }

  private static func rebuildAll(_ tree: inout Tree) {
    tree.root = Progress(totalUnitCount: 0)
    tree.records = [:]
    tree.parked = [:]
    for id in tree.book.order {
      guard let node = node(&tree, id) else { continue }
      let share = node.totalUnitCount
      tree.root.totalUnitCount += share
      tree.root.addChild(node, withPendingUnitCount: share)
      tree.records[id] = node
    }
  }

  private static func node(_ tree: inout Tree, _ id: RecordID) -> Progress? {
    guard let entry = tree.book.records[id] else { return nil }
    let node = Progress(totalUnitCount: Int64(entry.total) * 100)
    node.completedUnitCount = Int64(entry.finished + entry.failed) * 100
    for resource in entry.active {
      let progress = Progress(totalUnitCount: 100)
      node.addChild(progress, withPendingUnitCount: 100)
      tree.active[resource] = progress
    }
    return node
  }
}
