public import Models
public import Persistence

/// Changes of whole records, a few rows at a time.
extension MemoryStore {
  public func begin(_ verb: RecordVerb, of record: RecordID) throws(StoreError) {
    try write { () throws(StoreError) in
      guard let entry = tables.entries[record], entry.isInPlace else {
        throw Self.notFound("record \(record)")
      }
      tables.verbs[record] = Tables.VerbProgress(
        verb: verb, until: entry.resources.max() ?? ResourceID(0))
    }
  }

  public func advance(_ record: RecordID, limit: Int) throws(StoreError) -> Int? {
    try write { () throws(StoreError) in
      guard let progress = tables.verbs[record] else { return nil }
      let part = (tables.entries[record]?.resources ?? []).sorted()
        .filter { $0 > progress.last && $0 <= progress.until }
        .compactMap { tables.resources[$0] }
        .filter { progress.verb.concerns($0) }.prefix(max(0, limit))
      for resource in part { change(resource.id) { progress.verb.apply(to: &$0) } }
      tables.verbs[record] = part.last.map { last in
        Tables.VerbProgress(verb: progress.verb, last: last.id, until: progress.until)
      }
      return part.isEmpty ? nil : part.count
    }
  }

  public func recordsInChange() throws(StoreError) -> [RecordID] {
    try checkOpen()
    return tables.verbs.keys.sorted()
  }
}

extension RecordVerb {
  fileprivate func concerns(_ resource: Resource) -> Bool {
    switch self {
    case .cancel: resource.state == .queued
    case .retry: resource.state == .failed
    case .reload: true
    }
  }

  fileprivate func apply(to resource: inout Resource) {
    switch self {
    case .cancel(let reason) where resource.file == nil:
      resource.state = .failed
      resource.reason = reason
    case .cancel:
      resource.state = .fetched
      resource.reason = nil
      resource.mustReload = false
    case .retry(let reason):
      let isWhole = resource.file != nil && !resource.mustReload
      resource.state = isWhole && resource.reason == reason ? .fetched : .queued
      resource.reason = nil
      resource.attempts = 0
    case .reload:
      resource.state = .queued
      resource.reason = nil
      resource.attempts = 0
      resource.mustReload = true
    }
  }
}
