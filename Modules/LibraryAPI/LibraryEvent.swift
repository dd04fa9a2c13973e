public import Models

/// A change in a library. `seq` rises by one with each event, so that a reader detects missed events.
public struct LibraryEvent: Sendable, Equatable {
  public let seq: UInt64
  public let kind: Kind

  public init(seq: UInt64, kind: Kind) {
    self.seq = seq
    self.kind = kind
  }

  public enum Kind: Sendable, Equatable {
    /// A source is being downloaded: `bytes` of `total` have been received (`total` is nil if unknown). Sent
    /// several times per second.
    case sourceReading(location: String, bytes: Int64, total: Int64?)
    case sourceLoading(location: String, entries: Int)
    case problem(String)
    case recordAdded(RecordID, title: String)
    /// Entries were added to an existing record.
    case entriesAdded(RecordID, count: Int)
    case recordRemoved(RecordID)
    case started(ResourceID, record: RecordID)
    /// The resource will be retried after `after` seconds.
    case retrying(ResourceID, record: RecordID, reason: String, after: Double)
    case finished(ResourceID, record: RecordID)
    case failed(ResourceID, record: RecordID, url: String, reason: String)
    /// No transfer from this host starts for this number of seconds, because of the given reason.
    case hostWaits(host: String, seconds: Double, reason: String)
    /// The record was paused; nil means the whole library.
    case paused(RecordID?)
    case resumed(RecordID?)
    /// This number of the record's resources was cancelled.
    case cancelled(RecordID, count: Int)
    /// This number of the record's resources will be downloaded again.
    case reloading(RecordID, count: Int)
    /// This number of failed resources will be downloaded again; a nil record means the whole library.
    case retried(RecordID?, count: Int)
    case priorityChanged(RecordID, RecordPriority)
    case concurrencyChanged(Int)
    case perHostChanged(Int)
    /// The limit in bytes per second of all transfers together is this one; 0 for no limit.
    case rateLimitChanged(Int)
    case wasReset
    /// The engine cannot continue, for example because the disk is full or the database is damaged.
    case stopped(LibraryError)
  }
}
