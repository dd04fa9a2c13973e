import LibraryAPI
import Models

/// The data of a server-sent event: the event's number, its kind, and the fields of that kind.
struct EventMessage: Codable, Equatable {
  var seq: UInt64
  var kind: Kind
  var record: Int64?
  var resource: Int64?
  var count: Int?
  var bytes: Int64?
  var total: Int64?
  var limit: Int?
  var seconds: Double?
  var title: String?
  var location: String?
  var host: String?
  var url: String?
  var reason: String?
  var priority: String?
  /// The code of a `LibraryError`, for `stopped`.
  var code: String?

  enum Kind: String, Codable, CaseIterable {
    case sourceReading, sourceLoading, problem, recordAdded, entriesAdded, recordRemoved, started,
      retrying
    case finished, failed, hostWaits, paused, resumed, cancelled, reloading, retried
    case priorityChanged, concurrencyChanged, perHostChanged, rateLimitChanged, wasReset, stopped
  }

  private init(_ seq: UInt64, _ kind: Kind) {
    self.seq = seq
    self.kind = kind
  }
}

extension EventMessage {
  /// Encodes an event, and masks credentials in titles and reasons, which may come from servers.
  init(_ event: LibraryEvent) {
    self.init(showing: event)
    title = title.map(CredentialMask.masked)
    reason = reason.map(CredentialMask.masked)
  }

  private init(showing event: LibraryEvent) {
    switch event.kind {
    case .sourceReading(let location, let bytes, let total):
      self.init(event.seq, .sourceReading)
      (self.location, self.bytes, self.total) = (location, bytes, total)
    case .sourceLoading(let location, let entries):
      self.init(event.seq, .sourceLoading)
      self.location = location
      count = entries
    case .problem(let text):
      self.init(event.seq, .problem)
      reason = text
    case .recordAdded(let id, let title): self.init(event.seq, .recordAdded, id, title: title)
    case .entriesAdded(let id, let count): self.init(event.seq, .entriesAdded, id, count: count)
    case .recordRemoved(let id): self.init(event.seq, .recordRemoved, id)
    case .started(let resource, let id): self.init(event.seq, .started, id, resource)
    case .retrying(let resource, let id, let reason, let after):
      self.init(event.seq, .retrying, id, resource, reason: reason, seconds: after)
    case .finished(let resource, let id): self.init(event.seq, .finished, id, resource)
    case .failed(let resource, let id, let url, let reason):
      self.init(event.seq, .failed, id, resource, reason: reason)
      self.url = url
    case .hostWaits(let host, let seconds, let reason):
      self.init(event.seq, .hostWaits, nil, reason: reason, seconds: seconds)
      self.host = host
    case .paused(let id): self.init(event.seq, .paused, id)
    case .resumed(let id): self.init(event.seq, .resumed, id)
    case .cancelled(let id, let count): self.init(event.seq, .cancelled, id, count: count)
    case .reloading(let id, let count): self.init(event.seq, .reloading, id, count: count)
    case .retried(let id, let count): self.init(event.seq, .retried, id, count: count)
    case .priorityChanged(let id, let priority):
      self.init(event.seq, .priorityChanged, id)
      self.priority = PriorityMessage.name(priority)
    case .concurrencyChanged(let limit):
      self.init(event.seq, .concurrencyChanged)
      self.limit = limit
    case .perHostChanged(let limit):
      self.init(event.seq, .perHostChanged)
      self.limit = limit
    case .rateLimitChanged(let limit):
      self.init(event.seq, .rateLimitChanged)
      self.limit = limit
    case .wasReset: self.init(event.seq, .wasReset)
    case .stopped(let error):
      self.init(event.seq, .stopped)
      code = error.code.rawValue
      reason = error.detail
    }
  }

  private init(
    _ seq: UInt64, _ kind: Kind, _ record: RecordID?, _ resource: ResourceID? = nil,
    count: Int? = nil, title: String? = nil, reason: String? = nil, seconds: Double? = nil
  ) {
    self.init(seq, kind)
    self.record = record?.rawValue
    self.resource = resource?.rawValue
    self.count = count
    self.title = title
    self.reason = reason
    self.seconds = seconds.map(finite)
  }
}

extension EventMessage {
  func event() throws(ControlError) -> LibraryEvent {
    LibraryEvent(seq: seq, kind: try eventKind())
  }

  private func eventKind() throws(ControlError) -> LibraryEvent.Kind {
    switch kind {
    case .sourceReading:
      .sourceReading(location: try the(location), bytes: try the(bytes), total: total)
    case .sourceLoading: .sourceLoading(location: try the(location), entries: try the(count))
    case .problem: .problem(try the(reason))
    case .recordAdded: .recordAdded(try theRecord(), title: try the(title))
    case .entriesAdded: .entriesAdded(try theRecord(), count: try the(count))
    case .recordRemoved: .recordRemoved(try theRecord())
    case .started: .started(try theResource(), record: try theRecord())
    case .retrying:
      .retrying(
        try theResource(), record: try theRecord(), reason: try the(reason),
        after: try the(seconds))
    case .finished: .finished(try theResource(), record: try theRecord())
    case .failed:
      .failed(
        try theResource(), record: try theRecord(), url: try the(url), reason: try the(reason))
    case .hostWaits:
      .hostWaits(host: try the(host), seconds: try the(seconds), reason: try the(reason))
    case .paused: .paused(record.map { RecordID($0) })
    case .resumed: .resumed(record.map { RecordID($0) })
    case .cancelled: .cancelled(try theRecord(), count: try the(count))
    case .reloading: .reloading(try theRecord(), count: try the(count))
    case .retried: .retried(record.map { RecordID($0) }, count: try the(count))
    case .priorityChanged: .priorityChanged(try theRecord(), try thePriority())
    case .concurrencyChanged: .concurrencyChanged(try the(limit))
    case .perHostChanged: .perHostChanged(try the(limit))
    case .rateLimitChanged: .rateLimitChanged(try the(limit))
    case .wasReset: .wasReset
    case .stopped: .stopped(try theError())
    }
  }

  private func the<Value>(_ value: Value?) throws(ControlError) -> Value {
    guard let value else {
      throw ControlError(.badBody, "a field of the event \(kind.rawValue) is missing")
    }
    return value
  }

  private func theRecord() throws(ControlError) -> RecordID { RecordID(try the(record)) }

  private func theResource() throws(ControlError) -> ResourceID { ResourceID(try the(resource)) }

  private func thePriority() throws(ControlError) -> RecordPriority {
    var message = PriorityMessage(.normal)
    message.priority = try the(priority)
    return try message.value()
  }

  private func theError() throws(ControlError) -> LibraryError {
    LibraryError(LibraryError.Code(rawValue: try the(code)) ?? .internalError, try the(reason))
  }
}

/// The data of the event `snapshot`: `status` includes every event up to `seq`. A stream starts with a
/// snapshot unless the stream continues exactly after the last event that the reader received.
struct SnapshotMessage: Codable, Equatable {
  /// The number of the last event, or 0 before the first.
  var seq: UInt64
  var engine: String
  /// Whether events between the last one that the reader received and this snapshot are lost.
  var followsGap: Bool
  var status: StatusMessage
}
