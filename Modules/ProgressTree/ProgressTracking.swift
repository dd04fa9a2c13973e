public import Models
public import Wiring

/// What is running in a library and how far it is: library → record → resource.
///
/// Only active resources are held one by one; settled ones are counts on their record. Safe from any
/// thread; each call takes the one lock of the tree for a short time.
public protocol ProgressTracking: Sendable {
  /// Makes a record known, or sets its title and counts again.
  func addRecord(_ id: RecordID, title: String, total: Int, finished: Int, failed: Int)
  /// Forgets a record and whatever is active in it.
  func removeRecord(_ id: RecordID)

  /// The resource becomes active: downloading, until `stage` says otherwise. One that is active
  /// already stays as it is.
  /// - Returns: where the transport reports bytes. Of an unknown record: a counter that nobody reads.
  func begin(_ resource: ResourceID, in record: RecordID, label: String) -> TransferCounter
  func stage(_ resource: ResourceID, _ stage: ResourceStage)
  /// An active resource is done and becomes a count on its record.
  func settle(_ resource: ResourceID, failed: Bool)
  /// An active resource goes back to the queue.
  /// - Parameter keepsBytes: its transfer continues later with the bytes that it has: they stay a part of the
  ///   fraction of its record until the resource begins again.
  func suspend(_ resource: ResourceID, keepsBytes: Bool)

  /// - Complexity: O(active resources + records asked for).
  func snapshot(of records: RecordSelection) -> LibraryProgress
}

extension ProgressTracking {
  public func snapshot() -> LibraryProgress { snapshot(of: .all) }

  /// An active resource goes back to the queue, without the bytes that it has.
  public func suspend(_ resource: ResourceID) { suspend(resource, keepsBytes: false) }
}

extension Port where Service == any ProgressTracking {
  public static var progress: Port<any ProgressTracking> { Port("progress") }
}

/// What an active resource is at.
public enum ResourceStage: Sendable, CaseIterable {
  case downloading, unzipping, rendering
}

/// Which records a snapshot lists; its totals are always those of the whole library.
public enum RecordSelection: Sendable {
  case all
  /// Those with something active.
  case active
  /// The rows of a list that are visible, for instance. Unknown ones are left out.
  case only(Set<RecordID>)
}
