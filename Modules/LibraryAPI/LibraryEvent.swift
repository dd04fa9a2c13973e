public import Models

/// Something that changed. Numbers rise by one, so that a reader that missed some knows it.
public struct LibraryEvent: Sendable, Equatable {
  public let seq: UInt64
  public let kind: Kind

  public init(seq: UInt64, kind: Kind) {
    self.seq = seq
    self.kind = kind
  }

  public enum Kind: Sendable, Equatable {
    /// A source is being received: `bytes` of `total` have come (nil means length unknown). Sent several
    /// times per second.
    case sourceReading(location: String, bytes: Int64, total: Int64?)
    case sourceLoading(location: String, entries: Int)
    case problem(String)
    case recordAdded(RecordID, title: String)
    /// Entries came into a record that was there.
    case entriesAdded(RecordID, count: Int)
    case recordRemoved(RecordID)
    case started(ResourceID, record: RecordID)
    /// Will be tried again in so many seconds.
    case retrying(ResourceID, record: RecordID, reason: String, after: Double)
    case finished(ResourceID, record: RecordID)
    case failed(ResourceID, record: RecordID, url: String, reason: String)
    /// Nothing starts at this host for so many seconds, and why.
    case hostWaits(host: String, seconds: Double, reason: String)
    /// nil means the whole library.
    case paused(RecordID?)
    case resumed(RecordID?)
    /// So many resources were abandoned.
    case cancelled(RecordID, count: Int)
    /// So many resources are fetched again.
    case reloading(RecordID, count: Int)
    /// So many resources that failed are tried again; nil means of the whole library.
    case retried(RecordID?, count: Int)
    case priorityChanged(RecordID, RecordPriority)
    case concurrencyChanged(Int)
    case perHostChanged(Int)
    case wasReset
    /// The engine cannot continue (disk full, store broken).
    case stopped(LibraryError)
  }
}
