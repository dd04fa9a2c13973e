import Engine
import Models

/// One event of the engine as a JSON line. The fields are stable: new ones may come, none goes.
struct EventLine: Encodable {
  let seq: UInt64
  let event: String
  var record: Int64?
  var resource: Int64?
  var url: String?
  var title: String?
  var reason: String?
  var seconds: Double?
  var count: Int?

  init(_ event: EngineEvent) {
    seq = event.seq
    switch event.kind {
    case .sourceLoading(let location, let entries):
      self.event = "loading"
      url = location
      count = entries
    case .problem(let text):
      self.event = "problem"
      reason = text
    case .recordAdded(let id, let title):
      self.event = "record"
      record = id.rawValue
      self.title = title
    case .recordRemoved(let id):
      self.event = "removed"
      record = id.rawValue
    case .started(let id, let record):
      self.event = "started"
      set(id, record)
    case .retrying(let id, let record, let reason, let after):
      self.event = "retrying"
      set(id, record)
      self.reason = reason
      seconds = after
    case .finished(let id, let record):
      self.event = "finished"
      set(id, record)
    case .failed(let id, let record, let url, let reason):
      self.event = "failed"
      set(id, record)
      self.url = url
      self.reason = reason
    case .hostWaits(let host, let seconds, let reason):
      self.reason = reason
      self.event = "host-waits"
      url = host
      self.seconds = seconds
    case .concurrencyChanged(let limit):
      self.event = "concurrency"
      count = limit
    case .entriesAdded(let id, let added):
      self.event = "entries"
      record = id.rawValue
      count = added
    case .paused(let id):
      self.event = "paused"
      record = id?.rawValue
    case .resumed(let id):
      self.event = "resumed"
      record = id?.rawValue
    case .cancelled(let id, let given):
      self.event = "cancelled"
      record = id.rawValue
      count = given
    case .reloading(let id, let queued):
      self.event = "reloading"
      record = id.rawValue
      count = queued
    case .retried(let id, let queued):
      self.event = "retried"
      record = id?.rawValue
      count = queued
    case .priorityChanged(let id, let priority):
      self.event = "priority"
      record = id.rawValue
      count = priority.rawValue
    case .perHostChanged(let limit):
      self.event = "per-host"
      count = limit
    case .wasReset: self.event = "reset"
    case .stopped(let error):
      self.event = "stopped"
      reason = error.detail
    }
  }

  private mutating func set(_ id: ResourceID, _ record: RecordID) {
    resource = id.rawValue
    self.record = record.rawValue
  }
}
