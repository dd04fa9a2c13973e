public import Models

/// How far a library is, at one moment.
public struct LibraryProgress: Sendable, Equatable {
  /// In the order in which they were made known.
  public var records: [RecordProgress] = []
  /// By id.
  public var active: [ActiveResource] = []
  /// 0...1 over all resources; below 1 while anything is left.
  public var fraction = 0.0
  /// Bytes received since the tree was made.
  public var receivedBytes: Int64 = 0
  /// Smoothed over some seconds.
  public var bytesPerSecond = 0.0
  /// Until everything is settled, by the rate at which resources were; nil while nothing can be said.
  public var secondsLeft: Double?

  public init() {}

  public var total: Int { records.reduce(0) { $0 + $1.total } }
  public var finished: Int { records.reduce(0) { $0 + $1.finished } }
  public var failed: Int { records.reduce(0) { $0 + $1.failed } }
}

public struct RecordProgress: Sendable, Equatable {
  public let id: RecordID
  public var title: String
  public var total: Int
  public var finished: Int
  public var failed: Int
  public var activity: ActivityCounts
  /// 0...1; below 1 while anything is left.
  public var fraction: Double
  /// Bytes received since the record was made known.
  public var receivedBytes: Int64

  public var settled: Int { finished + failed }

  /// The text that every program shows (DL2).
  public var statusText: String {
    var counts = ResourceCounts()
    counts.finished = finished
    counts.failed = failed
    counts.queued = max(0, total - settled)
    return StatusText.record(counts, activity: activity, isPaused: false)
  }
}

public struct ActiveResource: Sendable, Equatable {
  public let id: ResourceID
  public let record: RecordID
  public let label: String
  public let activity: ResourceActivity
}
