import LibraryAPI
import Models
import ProgressTree

/// `GET /v1`: who answers.
struct HelloMessage: Codable, Equatable {
  /// Of this interface; grows when something old goes.
  var api: Int
  /// Real path of the library.
  var library: String
  var processID: Int32
  /// Another one for each start, so that numbers of events are not taken for those of another run.
  var engine: String
  /// The name of the program that answers: `imgdld`, or another one that happens to have the engine.
  var program: String?
  /// Unix seconds since when it has answered.
  var since: Int64?
}

/// `GET /v1/status`.
struct StatusMessage: Codable, Equatable {
  var isPaused: Bool
  var concurrency: Int
  var perHost: Int
  var active: Int
  var waiting: Int
  /// Nothing is left to do.
  var isIdle: Bool?
  var hosts: [HostMessage]
  var progress: ProgressMessage
  /// Sources that are being added; missing where there are none.
  var sources: [SourceStatusMessage]?
  /// Number of the last event that this knows of.
  var seq: UInt64?
  var turns: TurnStatusMessage?

  init(_ status: LibraryStatus) {
    isPaused = status.isPaused
    concurrency = status.concurrency
    perHost = status.perHost
    active = status.active
    waiting = status.waiting
    isIdle = status.isIdle
    hosts = status.hosts.map { HostMessage($0) }
    progress = ProgressMessage(status.progress)
    sources = status.sources.isEmpty ? nil : status.sources.map { SourceStatusMessage($0) }
    seq = status.seq
    turns = status.turns.map { TurnStatusMessage($0) }
  }

  func status() throws(ControlError) -> LibraryStatus {
    LibraryStatus(
      isPaused: isPaused, concurrency: concurrency, perHost: perHost, active: active,
      waiting: waiting, hosts: hosts.map(\.status), progress: try progress.progress(),
      isIdle: isIdle ?? false, sources: (sources ?? []).map(\.status),
      seq: seq, turns: turns?.status)
  }
}

/// The turns of the engine, in the answer to `GET /v1/status`. Times are milliseconds.
struct TurnStatusMessage: Codable, Equatable {
  var count: Int
  var median: Double
  var percentile99: Double
  var longest: Double

  init(_ status: TurnStatus) {
    count = status.count
    median = status.median
    percentile99 = status.percentile99
    longest = status.longest
  }

  var status: TurnStatus {
    TurnStatus(count: count, median: median, percentile99: percentile99, longest: longest)
  }
}

/// A source that is being read, in the answer to `GET /v1/status`.
struct SourceStatusMessage: Codable, Equatable {
  /// URL or path.
  var location: String
  var entries: Int

  init(_ source: SourceStatus) {
    location = source.location
    entries = source.entries
  }

  var status: SourceStatus { SourceStatus(location: location, entries: entries) }
}

/// One host of `GET /v1/status`.
struct HostMessage: Codable, Equatable {
  var host: String
  var active: Int
  var limit: Int
  /// Seconds.
  var waits: Double?
  var reason: String?

  init(_ host: HostStatus) {
    self.host = host.host
    active = host.active
    limit = host.limit
    waits = host.waits.map(finite)
    reason = host.reason.map(CredentialMask.masked)
  }

  var status: HostStatus {
    HostStatus(host: host, active: active, limit: limit, waits: waits, reason: reason)
  }
}
