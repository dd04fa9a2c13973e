public import Models
public import Wiring

/// The active transfers of a library and their progress: library → record → resource.
///
/// Only active resources have entries of their own; finished and failed ones are counts on their record. All
/// functions are thread-safe; each holds the tree's one lock for a short time.
public protocol ProgressTracking: Sendable {
  /// Adds a record, or sets the title and counts of one that exists.
  func addRecord(_ id: RecordID, title: String, total: Int, finished: Int, failed: Int)
  /// Removes a record and its active resources.
  func removeRecord(_ id: RecordID)

  /// Makes a resource active in the stage `downloading`. A resource that is already active in the record
  /// keeps its state.
  /// - Returns: The counter to which the transport reports bytes. For an unknown record, its values are never
  ///   read.
  func activate(_ resource: ResourceID, in record: RecordID, label: String) -> TransferCounter
  func stage(_ resource: ResourceID, _ stage: ResourceStage)
  /// Ends an active resource, which becomes a count on its record.
  func complete(_ resource: ResourceID, failed: Bool)
  /// Returns an active resource to the queue.
  /// - Parameter keepsBytes: Whether its transfer will resume from the bytes received so far, which then stay
  ///   part of the record's fraction until the resource begins again.
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

/// The records that a snapshot lists; its totals always cover the whole library.
public enum RecordSelection: Sendable {
  case all
  /// The records with active resources.
  case active
  /// The records with these identifiers, such as the visible rows of a list; unknown ones are omitted.
  case only(Set<RecordID>)
}
