public import Models

/// The state of a library's transfers at one moment.
public struct LibraryProgress: Sendable, Equatable {
  /// The number of resources in all records.
  public var total = 0
  public var finished = 0
  public var failed = 0
  public var activity = ActivityCounts()
  /// The completed fraction, 0...1; below 1 until all resources are finished or failed.
  public var fraction = 0.0
  /// The number of bytes received over the network since the start. Bytes that were already on the disk are not
  /// counted, nor those that a transfer has discarded to start over.
  public var bytes: Int64 = 0
  /// The transfer rate, smoothed over some seconds.
  public var bytesPerSecond = 0.0
  /// The estimated time in seconds until everything is downloaded; nil while the rate is too low for an
  /// estimate.
  public var secondsLeft: Double?
  /// The records that the caller of `snapshot(of:)` selected, in ascending order of their ids.
  public var records: [RecordProgress] = []
  /// The active resources, ordered by record and identifier.
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
  /// The completed fraction, 0...1; below 1 until all resources are finished or failed.
  public var fraction: Double
  /// The number of bytes received over the network since the start, without those that were discarded.
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
  /// The dimensions of the image that is downloaded, as soon as its first bytes state them; nil if unknown.
  public var dimensions: ImageDimensions?
  /// The number of connections that receive the file; nil if it is not being downloaded, or if its engine runs in
  /// another process, which does not report the number.
  public var connections: Int?

  public init(
    id: ResourceID, record: RecordID, label: String, activity: ResourceActivity,
    dimensions: ImageDimensions? = nil, connections: Int? = nil
  ) {
    self.connections = connections
    self.dimensions = dimensions
    self.id = id
    self.record = record
    self.label = label
    self.activity = activity
  }
}
