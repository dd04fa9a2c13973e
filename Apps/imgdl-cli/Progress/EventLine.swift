import LibraryAPI
import Models

/// An event of the engine as a JSON line. The fields are stable: later versions may add fields, but do not
/// remove any.
struct EventLine: Encodable {
  let seq: UInt64
  let event: String
  /// The id of the record, or nil if the event concerns the whole library.
  var record: Int64?
  var resource: Int64?
  var url: String?
  var title: String?
  var reason: String?
  var seconds: Double?
  var count: Int?
  var bytes: Int64?
  var total: Int64?
  var priority: String?

  init(_ event: LibraryEvent) {
    seq = event.seq
    self.event = Self.name(of: event.kind)
    describe(event.kind)
    url = url.map(CredentialMask.masked)
    title = title.map(CredentialMask.masked)
    reason = reason.map(CredentialMask.masked)
  }

  private static func name(of kind: LibraryEvent.Kind) -> String {
    switch kind {
    case .sourceReading: "reading"
    case .sourceLoading: "loading"
    case .problem: "problem"
    case .recordAdded: "record"
    case .entriesAdded: "entries"
    case .recordRemoved: "removed"
    case .started: "started"
    case .retrying: "retrying"
    case .finished: "finished"
    case .failed: "failed"
    case .hostWaits: "host-waits"
    case .paused: "paused"
    case .resumed: "resumed"
    case .cancelled: "cancelled"
    case .reloading: "reloading"
    case .retried: "retried"
    case .priorityChanged: "priority"
    case .concurrencyChanged: "concurrency"
    case .perHostChanged: "per-host"
    case .rateLimitChanged: "limit-rate"
    case .wasReset: "reset"
    case .stopped: "stopped"
    }
  }

  private mutating func describe(_ kind: LibraryEvent.Kind) {
    switch kind {
    case .sourceReading(let location, let bytes, let total):
      (url, self.bytes, self.total) = (location, bytes, total)
    case .sourceLoading(let location, let entries): (url, count) = (location, entries)
    case .problem(let text): reason = text
    case .recordAdded(let id, let title):
      record = id.rawValue
      self.title = title
    case .entriesAdded(let id, let count), .cancelled(let id, let count),
      .reloading(let id, let count):
      record = id.rawValue
      self.count = count
    case .recordRemoved(let id): record = id.rawValue
    case .started(let id, let record), .finished(let id, let record): set(id, record)
    case .retrying(let id, let record, let reason, let after):
      set(id, record)
      (self.reason, seconds) = (reason, after)
    case .failed(let id, let record, let url, let reason):
      set(id, record)
      (self.url, self.reason) = (url, reason)
    case .hostWaits(let host, let seconds, let reason):
      url = host
      (self.seconds, self.reason) = (seconds, reason)
    case .paused(let id), .resumed(let id): record = id?.rawValue
    case .retried(let id, let count):
      record = id?.rawValue
      self.count = count
    case .priorityChanged(let id, let priority):
      record = id.rawValue
      self.priority = priority.name
    case .concurrencyChanged(let limit), .perHostChanged(let limit): count = limit
    case .rateLimitChanged(let limit): bytes = Int64(limit)
    case .wasReset: break
    case .stopped(let error): reason = error.detail
    }
  }

  private mutating func set(_ id: ResourceID, _ record: RecordID) {
    resource = id.rawValue
    self.record = record.rawValue
  }
}
