public import ProgressTree

/// The state of an engine at the time of the request.
public struct LibraryStatus: Sendable, Equatable {
  public var isPaused: Bool
  /// The limit of concurrent transfers.
  public var concurrency: Int
  public var perHost: Int
  /// The limit of the received bytes per second of all transfers together; 0 for no limit.
  public var rateLimit: Int
  /// The number of active transfers.
  public var active: Int
  /// The number of waiting resources in memory; the rest of the queue is only in the store.
  public var waiting: Int
  /// Whether no work is left except work that has been paused since an earlier run.
  public var isIdle: Bool
  /// The hosts with active transfers, and the hosts with waiting resources and a restriction, sorted by name.
  public var hosts: [HostStatus]
  public var progress: LibraryProgress
  /// The sources being added, in the order of their requests.
  public var sources: [SourceStatus]
  /// The number of the last event that this status includes; nil if unknown.
  public var seq: UInt64?
  /// The durations of the engine's turns; nil if unknown.
  public var turns: TurnStatus?
  /// The reason why the engine cannot continue, or why the last one could not, if the current one has achieved nothing
  /// yet; nil if there is none.
  public var failure: LibraryError?

  public init(
    isPaused: Bool, concurrency: Int, perHost: Int, active: Int, waiting: Int,
    hosts: [HostStatus], progress: LibraryProgress, isIdle: Bool = false,
    sources: [SourceStatus] = [], seq: UInt64? = nil, turns: TurnStatus? = nil,
    failure: LibraryError? = nil, rateLimit: Int = 0
  ) {
    self.rateLimit = rateLimit
    self.failure = failure
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

/// Statistics on the turns of an engine since it was opened. While a turn runs, completed transfers and
/// incoming requests wait, so a long turn delays them. Times are in milliseconds.
public struct TurnStatus: Sendable, Equatable {
  public var count: Int
  /// The median duration of a turn. `median` and `percentile99` are rounded up to a power of two in
  /// microseconds.
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

/// The progress of a source that is being read.
public struct SourceStatus: Sendable, Equatable {
  /// The URL or path of the source.
  public var location: String
  /// The number of entries read so far.
  public var entries: Int

  public init(location: String, entries: Int = 0) {
    self.location = location
    self.entries = entries
  }
}

/// The transfers and limits of one host.
public struct HostStatus: Sendable, Equatable {
  /// The origin of the host, such as `https://example.org`.
  public var host: String
  /// The number of active transfers.
  public var active: Int
  /// The current limit of concurrent transfers, learned from the host's responses.
  public var limit: Int
  /// The time until the next transfer may start, in seconds; nil means at once.
  public var secondsToWait: Double?
  /// The reason for the delay or for a reduced limit, such as `HTTP 429 Too Many Requests`; nil if there is
  /// none.
  public var reason: String?

  public init(
    host: String, active: Int, limit: Int, waits: Double? = nil, reason: String? = nil
  ) {
    self.host = host
    self.active = active
    self.limit = limit
    self.secondsToWait = waits
    self.reason = reason
  }
}
