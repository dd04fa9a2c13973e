public import Models
public import Wiring

/// The active transfers of a library and their progress: library → record → resource.
///
/// Only active resources have entries of their own; finished and failed resources are counts on their record.
/// All functions are thread-safe; each of them holds the tree's one lock for a short time.
public protocol ProgressTracking: Sendable {
  /// Adds a record, or sets the title and counts of an existing one.
  func addRecord(_ id: RecordID, title: String, total: Int, finished: Int, failed: Int)
  /// Removes a record and its active resources.
  func removeRecord(_ id: RecordID)

  /// Makes a resource active in the stage `downloading`. A resource that is already active in the record
  /// keeps its state.
  /// - Returns: The counter to which the transport reports bytes. The counter of an unknown record is never
  ///   read.
  func activate(_ resource: ResourceID, in record: RecordID, label: String) -> TransferCounter
  func setStage(_ stage: ResourceStage, of resource: ResourceID)
  /// Ends an active resource, which is then only counted on its record.
  func complete(_ resource: ResourceID, failed: Bool)
  /// Returns an active resource to the queue.
  /// - Parameter keepsBytes: Whether the transfer will resume from the bytes received so far, which then
  ///   remain part of the record's fraction.
  func suspend(_ resource: ResourceID, keepsBytes: Bool)

  /// Returns the current progress.
  /// - Complexity: O(active resources + requested records).
  func snapshot(of records: RecordSelection) -> LibraryProgress
}

extension ProgressTracking {
  public func snapshot() -> LibraryProgress { snapshot(of: .all) }

  /// Returns an active resource to the queue without its received bytes.
  public func suspend(_ resource: ResourceID) { suspend(resource, keepsBytes: false) }
}

extension Port where Service == any ProgressTracking {
  public static var progress: Port<any ProgressTracking> { Port("progress") }
}

/// The stage of an active resource.
public enum ResourceStage: Sendable, CaseIterable {
  case downloading, unzipping, rendering
}

/// The records that a snapshot lists. The totals of a snapshot always cover the whole library.
public enum RecordSelection: Sendable {
  case all
  /// The records with active resources.
  case active
  /// The records with these ids, such as the visible rows of a list. Unknown ids are ignored.
  case only(Set<RecordID>)
}
