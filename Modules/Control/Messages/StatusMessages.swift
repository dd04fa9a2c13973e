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
  }

  func status() throws(ControlError) -> LibraryStatus {
    LibraryStatus(
      isPaused: isPaused, concurrency: concurrency, perHost: perHost, active: active,
      waiting: waiting, hosts: hosts.map(\.status), progress: try progress.progress(),
      isIdle: isIdle ?? false, sources: (sources ?? []).map(\.status),
      seq: seq)
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
