public import Models

/// The state of a library's transfers at one moment.
public struct LibraryProgress: Sendable, Equatable {
  /// Resources of all records.
  public var total = 0
  public var finished = 0
  public var failed = 0
  public var activity = ActivityCounts()
  /// 0...1; below 1 until everything is settled.
  public var fraction = 0.0
  /// Bytes that came over the network since the start; what was there before does not count.
  public var bytes: Int64 = 0
  /// Smoothed over some seconds.
  public var bytesPerSecond = 0.0
  /// Estimated time until everything is downloaded; nil while there is nothing to go by.
  public var secondsLeft: Double?
  /// Those that were requested, by id.
  public var records: [RecordProgress] = []
  /// By record and id.
  public var active: [ActiveResource] = []

  public init() {}

  public var settled: Int { finished + failed }
}

public struct RecordProgress: Sendable, Equatable {
  public let id: RecordID
  public var title: String
  public var total: Int
  public var finished: Int
  public var failed: Int
  public var activity: ActivityCounts
  /// 0...1; below 1 until everything is settled.
  public var fraction: Double
  /// Bytes that came over the network since the start.
  public var bytes: Int64

  public init(
    id: RecordID, title: String, total: Int, finished: Int, failed: Int, activity: ActivityCounts,
    fraction: Double, bytes: Int64
  ) {
    self.id = id
    self.title = title
    self.total = total
    self.finished = finished
    self.failed = failed
    self.activity = activity
    self.fraction = fraction
    self.bytes = bytes
  }

  public var settled: Int { finished + failed }
}

public struct ActiveResource: Sendable, Equatable {
  public let id: ResourceID
  public let record: RecordID
  public var label: String
  public var activity: ResourceActivity

  public init(id: ResourceID, record: RecordID, label: String, activity: ResourceActivity) {
    self.id = id
    self.record = record
    self.label = label
    self.activity = activity
  }
}
