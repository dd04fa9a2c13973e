public import Models
public import Persistence

extension MemoryStore {
  public func beginSource(_ draft: SourceDraft) throws(StoreError) -> SourceID {
    try checkOpen()
    lastSourceID += 1
    let id = SourceID(lastSourceID)
    sources[id] = Source(row: SourceRow(id: id, draft: draft))
    return id
  }

  public func completeSource(_ id: SourceID) throws(StoreError) {
    try checkOpen()
    guard let source = sources[id] else { throw Self.notFound("source \(id)") }
    guard !source.isComplete else { return }
    sources[id]?.isComplete = true
    for record in entries.values.map(\.record).filter({ $0.source == id }).map(\.id).sorted() {
      let position = newPosition(at: .end)
      entries[record]?.position = position
    }
  }

  public func note(_ state: SourceState, of source: SourceID) throws(StoreError) {
    try checkOpen()
    guard sources[source] != nil else { throw Self.notFound("source \(source)") }
    sources[source]?.row.state = state
  }

  public func discardSource(_ id: SourceID) throws(StoreError) {
    try checkOpen()
    guard sources[id] != nil else { return }
    for entry in entries.values where entry.record.source == id {
      try removeRecord(entry.record.id)
    }
    sources[id] = nil
  }

  public func source(_ id: SourceID) throws(StoreError) -> SourceRow? {
    try checkOpen()
    guard let source = sources[id], source.isComplete else { return nil }
    return source.row
  }

  public func source(key: String) throws(StoreError) -> SourceRow? {
    try checkOpen()
    let rows = sources.values.filter { $0.isComplete && $0.row.key == key }.map(\.row)
    return rows.max { $0.id.rawValue < $1.id.rawValue }
  }

  public func incompleteSources() throws(StoreError) -> [SourceRow] {
    try checkOpen()
    let rows = sources.values.filter { !$0.isComplete }.map(\.row)
    return rows.sorted { $0.id.rawValue < $1.id.rawValue }
  }

  static func notFound(_ what: String) -> StoreError {
    StoreError(.notFound, "there is no \(what)")
  }
}
