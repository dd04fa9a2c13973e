import Foundation
import Models

/// The ledger as a tree of Foundation's `Progress`: library → record → resource. Records with
/// something active or suspended and these resources have a node, the rest are counts on the root.
///
/// Not thread-safe, as `Progress` itself is not on Linux: only touched under the tree's lock. When
/// something begins or ends the tree is made again at the next look: a node of `Progress` cannot be
/// taken back, and one that finishes, grows and finishes again is counted twice.
struct FoundationNodes {
  private(set) var root = Progress.discreteProgress(totalUnitCount: 0)
  private var records: [RecordID: Progress] = [:]
  private var resources: [ResourceID: Progress] = [:]
  private var version: UInt64?

  mutating func update(from ledger: ProgressLedger) {
    if version != ledger.version { build(ledger) }
    for (id, node) in resources {
      guard let entry = ledger.active[id] else { continue }
      let done = ProgressUnits.done(entry)
      if node.completedUnitCount != done { node.completedUnitCount = done }
    }
  }

  var fraction: Double { root.fractionCompleted }

  /// nil for a record without a node.
  func fraction(of record: RecordID) -> Double? { records[record]?.fractionCompleted }

  /// Units of the root and the records are resources.
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
