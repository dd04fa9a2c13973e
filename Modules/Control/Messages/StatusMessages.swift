import LibraryAPI
import Models
import ProgressTree

/// `GET /v1`: the identity of the server.
struct HelloMessage: Codable, Equatable {
  /// The version of the API that this program serves and expects: the `v1` of its paths.
  static let version = 1

  /// The version of the API, which rises with each incompatible change.
  var api: Int
  /// The real path of the library.
  var library: String
  var processID: Int32
  /// The id of this run of the engine, random for each start, so that event numbers of different runs cannot
  /// be confused.
  var engine: String
  /// The name of the server's program: `imgdld`, or another program that runs the engine.
  var program: String?
  /// The time at which the server started, in Unix seconds.
  var since: Int64?
}

/// `GET /v1/status`: a `LibraryStatus` as JSON.
struct StatusMessage: Codable, Equatable {
  var isPaused: Bool
  var concurrency: Int
  var perHost: Int
  /// The limit in bytes per second of all transfers together, 0 for none; missing in older servers.
  var rateLimit: Int?
  var active: Int
  var waiting: Int
  /// Whether no work is left except work that has been paused since an earlier run.
  var isIdle: Bool?
  var hosts: [HostMessage]
  var progress: ProgressMessage
  /// The sources being added; missing if there are none.
  var sources: [SourceStatusMessage]?
  /// The number of the last event that this status includes; nil if unknown.
  var seq: UInt64?
  var turns: TurnStatusMessage?
  var failure: FailureMessage?

  init(_ status: LibraryStatus) {
    isPaused = status.isPaused
    concurrency = status.concurrency
    perHost = status.perHost
    rateLimit = status.rateLimit
    active = status.active
    waiting = status.waiting
    isIdle = status.isIdle
    hosts = status.hosts.map { HostMessage($0) }
    progress = ProgressMessage(status.progress)
    sources = status.sources.isEmpty ? nil : status.sources.map { SourceStatusMessage($0) }
    seq = status.seq
    turns = status.turns.map { TurnStatusMessage($0) }
    failure = status.failure.map { FailureMessage($0) }
  }

  func status() throws(ControlError) -> LibraryStatus {
    LibraryStatus(
      isPaused: isPaused, concurrency: concurrency, perHost: perHost, active: active,
      waiting: waiting, hosts: hosts.map(\.status), progress: try progress.progress(),
      isIdle: isIdle ?? false, sources: (sources ?? []).map(\.status),
      seq: seq, turns: turns?.status, failure: failure?.error, rateLimit: rateLimit ?? 0)
  }
}

/// The reason why the engine cannot continue, in the response to `GET /v1/status`.
struct FailureMessage: Codable, Equatable {
  /// The code of a `LibraryError`.
  var code: String
  var detail: String

  init(_ error: LibraryError) {
    code = error.code.rawValue
    detail = CredentialMask.masked(error.detail)
  }

  var error: LibraryError { LibraryError(LibraryError.Code(rawValue: code) ?? .io, detail) }
}

/// The turns of the engine, in the response to `GET /v1/status`. Times are in milliseconds.
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

/// A source that is being read, in the response to `GET /v1/status`.
struct SourceStatusMessage: Codable, Equatable {
  /// The URL or path of the source.
  var location: String
  var entries: Int

  init(_ source: SourceStatus) {
    location = source.location
    entries = source.entries
  }

  var status: SourceStatus { SourceStatus(location: location, entries: entries) }
}

/// A host in the response to `GET /v1/status`.
struct HostMessage: Codable, Equatable {
  var host: String
  var active: Int
  var limit: Int
  /// The time until the next transfer may start, in seconds; nil means at once.
  var waits: Double?
  var reason: String?

  init(_ host: HostStatus) {
    self.host = host.host
    active = host.active
    limit = host.limit
    waits = host.secondsToWait.map(finite)
    reason = host.reason.map(CredentialMask.masked)
  }

  var status: HostStatus {
    HostStatus(host: host, active: active, limit: limit, waits: waits, reason: reason)
  }
}
