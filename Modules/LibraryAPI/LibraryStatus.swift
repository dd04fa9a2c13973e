public import ProgressTree

/// What an engine is doing at this moment.
public struct LibraryStatus: Sendable, Equatable {
  public var isPaused: Bool
  /// Transfers at the same time.
  public var concurrency: Int
  public var perHost: Int
  /// Active transfers.
  public var active: Int
  /// Of the resources that wait, those that are in memory.
  public var waiting: Int
  /// Nothing is left to do, or all that is left is paused since an earlier run.
  public var isIdle: Bool
  /// Hosts with transfers, and those that something waits for and against which something is held, by name.
  public var hosts: [HostStatus]
  public var progress: LibraryProgress
  /// Sources that are being added at this moment, in the order in which they were requested.
  public var sources: [SourceStatus]
  /// The number of the last event that this status knows of: what later events tell is newer. nil means not
  /// told.
  public var seq: UInt64?
  /// How long the engine took for its decisions; nil means not told.
  public var turns: TurnStatus?

  public init(
    isPaused: Bool, concurrency: Int, perHost: Int, active: Int, waiting: Int,
    hosts: [HostStatus], progress: LibraryProgress, isIdle: Bool = false,
    sources: [SourceStatus] = [], seq: UInt64? = nil, turns: TurnStatus? = nil
  ) {
    self.turns = turns
    self.seq = seq
    self.isPaused = isPaused
    self.concurrency = concurrency
    self.perHost = perHost
    self.active = active
    self.waiting = waiting
    self.isIdle = isIdle
    self.hosts = hosts
    self.progress = progress
    self.sources = sources
  }
}

/// The turns of an engine since it was opened: whatever waits for it (a transfer that has ended, a request)
/// waits for the end of a turn. Times are milliseconds.
public struct TurnStatus: Sendable, Equatable {
  public var count: Int
  /// Half of the turns, and 99 of 100, took no longer, to the next power of two of a microsecond.
  public var median: Double
  public var percentile99: Double
  public var longest: Double

  public init(count: Int, median: Double, percentile99: Double, longest: Double) {
    self.count = count
    self.median = median
    self.percentile99 = percentile99
    self.longest = longest
  }
}

/// A source that is being read.
public struct SourceStatus: Sendable, Equatable {
  /// As people call it: its URL or path.
  public var location: String
  /// Entries that were read so far.
  public var entries: Int

  public init(location: String, entries: Int = 0) {
    self.location = location
    self.entries = entries
  }
}

/// How much one host may have, and why it is not more.
public struct HostStatus: Sendable, Equatable {
  /// Its origin: `https://example.org`.
  public var host: String
  /// Active transfers.
  public var active: Int
  /// Transfers that it may have, as learned from its answers.
  public var limit: Int
  /// Seconds until the next transfer may start; nil means at once.
  public var waits: Double?
  /// Why it waits or has less than others: `HTTP 429 Too Many Requests`.
  public var reason: String?

  public init(
    host: String, active: Int, limit: Int, waits: Double? = nil, reason: String? = nil
  ) {
    self.host = host
    self.active = active
    self.limit = limit
    self.waits = waits
    self.reason = reason
  }
}
