import JSON
import LibraryAPI
import Models

/// `GET /v1/health`: a summary of the engine's state.
struct HealthMessage: Codable, Equatable {
  /// Always `ok`; a failure is reported as a problem response instead.
  var status = "ok"
  /// The time since the server started, in seconds.
  var uptime: Int64
  var isPaused: Bool
  var isIdle: Bool
  var active: Int
}

/// `GET /v1/hosts`: the hosts with transfers or restrictions.
struct HostsMessage: Codable, Equatable {
  struct Host: Codable, Equatable {
    var host: String
    var active: Int
    var limit: Int
    /// The time until the next transfer may start, in seconds; nil means at once.
    var waits: Double?
    /// The time at which the next transfer may start, in Unix seconds; nil means at once.
    var until: Double?
    var reason: String?
  }

  var hosts: [Host]

  /// - Parameter now: The current time in Unix seconds.
  init(_ status: LibraryStatus, now: Int64) {
    hosts = status.hosts.map { host in
      let waits = host.secondsToWait.map(finite)
      return Host(
        host: host.host, active: host.active, limit: host.limit, waits: waits,
        until: waits.map { Double(now) + $0 }, reason: host.reason.map(CredentialMask.masked))
    }
  }
}

/// `GET /v1/settings`: the current limits, and the settings with which the engine was opened.
struct SettingsMessage: Encodable {
  struct Setting: Encodable {
    var key: String
    var value: JSONValue
    var summary: String
  }

  var isPaused: Bool
  /// The limit of concurrent transfers, which a client may have changed while the engine ran.
  var concurrency: Int
  var perHost: Int
  /// The limit in bytes per second of all transfers together; 0 for none.
  var rateLimit: Int
  var settings: [Setting]

  init(_ status: LibraryStatus, _ settings: Settings) {
    isPaused = status.isPaused
    concurrency = status.concurrency
    perHost = status.perHost
    rateLimit = status.rateLimit
    self.settings = SettingsSchema.keys.map { key in
      Setting(key: key.name, value: Self.shown(key, in: settings), summary: key.summary)
    }
  }

  /// Returns the value of a setting as JSON, with secrets hidden.
  private static func shown(_ key: SettingsSchema.Key, in settings: Settings) -> JSONValue {
    switch SettingsSchema.shown(key.value(in: settings), of: key.kind) {
    case .text(let text): .string(text)
    case .integer(let number): .integer(number)
    case .number(let number): .number("\(finite(number))")
    case .flag(let flag): .bool(flag)
    case .list(let list): .strings(list)
    }
  }
}
