import Foundation
import Models

/// A tree of Foundation's `Progress` that mirrors the ledger: library → record → resource. Active or
/// suspended resources and their records have a node; all others are counts on the root.
///
/// The tree is accessed only under its lock, because `Progress` is not thread-safe on Linux. After a resource
/// begins or ends, the next access rebuilds the tree: a child of `Progress` cannot be removed, and a child
/// that finishes, grows and finishes again is counted twice.
struct FoundationNodes {
  private(set) var root = Progress.discreteProgress(totalUnitCount: 0)
  private var records: [RecordID: Progress] = [:]
  private var resources: [ResourceID: Progress] = [:]
  private var version: UInt64?

  mutating func update(from ledger: ProgressLedger) {
    if version != ledger.version { build(ledger) }
    for (id, node) in resources {
      guard let entry = ledger.active[id] else { continue }
      let done = ProgressUnits.completedUnits(entry)
      if node.completedUnitCount != done { node.completedUnitCount = done }
    }
  }

  var fraction: Double { root.fractionCompleted }

  /// Returns the fraction of a record, or nil if the record has no node.
  func fraction(of record: RecordID) -> Double? { records[record]?.fractionCompleted }

  /// Rebuilds the tree. The unit of the root and of the records is one resource.
  private mutating func build(_ ledger: ProgressLedger) {
    version = ledger.version
    root = .discreteProgress(totalUnitCount: Int64(ledger.sums.total))
    records = [:]
    resources = [:]
    var settled = ledger.sums.settled
    func node(in id: RecordID) -> Progress? {
      guard let record = ledger.records[id] else { return nil }
      let parent: Progress
      if let known = records[id] {
        parent = known
      } else {
        parent = .discreteProgress(totalUnitCount: Int64(record.total))
        root.addChild(parent, withPendingUnitCount: Int64(record.total))
        parent.completedUnitCount = Int64(record.settled)
        records[id] = parent
        settled -= record.settled
      }
      let node = Progress.discreteProgress(totalUnitCount: ProgressUnits.resource)
      parent.addChild(node, withPendingUnitCount: 1)
      return node
    }
    for (id, entry) in ledger.active { resources[id] = node(in: entry.record) }
    for entry in ledger.suspended.values {
      node(in: entry.record)?.completedUnitCount = entry.units
    }
    root.completedUnitCount = Int64(settled)
  }
}
