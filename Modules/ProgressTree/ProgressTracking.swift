public import Models
public import Wiring

/// The progress of a library, its records and what is active in them (DL13).
///
/// Every call may come from any thread and takes one lock for a few instructions; the bytes of a
/// transfer are counted without a lock, in its `TransferCounter`. Readers poll `snapshot`.
public protocol ProgressTracking: Sendable {
  /// Makes a record known, or brings its counts up to date.
  func addRecord(_ id: RecordID, title: String, total: Int, finished: Int, failed: Int)
  func removeRecord(_ id: RecordID)

  /// The resource becomes active in its record: downloading, until another stage is told.
  /// A resource that is active already keeps its progress and its counter.
  func begin(_ resource: ResourceID, in record: RecordID, label: String) -> TransferCounter
  func stage(_ resource: ResourceID, _ stage: ResourceStage)
  /// Done or given up: from now on it is a count of its record.
  func settle(_ resource: ResourceID, failed: Bool)
  /// Not active any more and not settled: it is in the queue again.
  func suspend(_ resource: ResourceID)

  /// How far everything is now. O(records + active resources).
  func snapshot() -> LibraryProgress
}

extension Port where Service == any ProgressTracking {
  public static var progress: Port<any ProgressTracking> { Port("progress") }
}

/// What is done with an active resource. The weights are the parts of its progress.
public enum ResourceStage: Int, Sendable, CaseIterable, Comparable {
  case downloading, unzipping, rendering

  /// Of 100.
  public var weight: Int64 {
    switch self {
    case .downloading: 90
    case .unzipping, .rendering: 5
    }
  }

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
