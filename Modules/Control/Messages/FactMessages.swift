import LibraryAPI
import Models

/// `GET /v1/health`.
struct HealthMessage: Codable, Equatable {
  /// `ok`; otherwise the answer is a problem.
  var status = "ok"
  /// Seconds since it has answered.
  var uptime: Int64
  var isPaused: Bool
  var isIdle: Bool
  var active: Int
}

/// `GET /v1/hosts`.
struct HostsMessage: Codable, Equatable {
  struct Host: Codable, Equatable {
    var host: String
    var active: Int
    var limit: Int
    /// Seconds until the next transfer may start.
    var waits: Double?
    /// The same as a moment, in Unix seconds.
    var until: Double?
    var reason: String?
  }

  var hosts: [Host]

  /// - Parameter now: Unix seconds.
  init(_ status: LibraryStatus, now: Int64) {
    hosts = status.hosts.map { host in
      let waits = host.waits.map(finite)
      return Host(
        host: host.host, active: host.active, limit: host.limit, waits: waits,
        until: waits.map { Double(now) + $0 }, reason: host.reason.map(CredentialMask.masked))
    }
  }
}

/// `GET /v1/settings`: what holds now, and what the engine was opened with.
struct SettingsMessage: Encodable {
  struct Setting: Encodable {
    var key: String
    var value: JSONValue
    var summary: String
  }

  var isPaused: Bool
  /// Transfers at the same time, as they may have been changed while it ran.
  var concurrency: Int
  var perHost: Int
  var settings: [Setting]

  init(_ status: LibraryStatus, _ settings: Settings) {
    isPaused = status.isPaused
    concurrency = status.concurrency
    perHost = status.perHost
    self.settings = SettingsSchema.keys.map { key in
      Setting(key: key.name, value: Self.shown(key, in: settings), summary: key.summary)
    }
  }

  /// Secrets are not told.
  private static func shown(_ key: SettingsSchema.Key, in settings: Settings) -> JSONValue {
    switch SettingsSchema.shown(key.value(in: settings), of: key.kind) {
    case .text(let text): .text(text)
    case .integer(let number): .integer(number)
    case .number(let number): .number(finite(number))
    case .flag(let flag): .flag(flag)
    case .list(let list): .list(list.map { .text($0) })
    }
  }
}
