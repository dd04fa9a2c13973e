public import Models
public import Persistence

extension MemoryStore {
  public func beginSource(_ draft: SourceDraft) throws(StoreError) -> SourceID {
    try write { () throws(StoreError) in
      tables.lastSourceID += 1
      let id = SourceID(tables.lastSourceID)
      tables.sources[id] = Tables.Source(row: SourceRow(id: id, draft: draft))
      return id
    }
  }

  public func completeSource(_ id: SourceID) throws(StoreError) {
    try write { () throws(StoreError) in
      guard try !seen(id).isComplete else { return }
      tables.sources[id]?.isComplete = true
      let entries = tables.entries.values.filter { $0.record.source == id && !$0.isRemoved }
      for record in entries.map(\.record.id).sorted() {
        let position = newPosition(at: .end)
        tables.entries[record]?.position = position
      }
    }
  }

  public func note(_ state: SourceState, of source: SourceID) throws(StoreError) {
    try write { () throws(StoreError) in
      _ = try seen(source)
      tables.sources[source]?.row.state = state
    }
  }

  public func discardSource(_ id: SourceID) throws(StoreError) {
    try write { () throws(StoreError) in
      guard tables.sources[id] != nil else { return }
      let records = tables.entries.values.map(\.record).filter { $0.source == id }
      for record in records { hide(record.id) }
      tables.sources[id]?.isComplete = false
      tables.sources[id]?.isDiscarded = true
      if records.isEmpty { tables.sources[id] = nil }
    }
  }

  public func source(_ id: SourceID) throws(StoreError) -> SourceRow? {
    try checkOpen()
    guard let source = tables.sources[id], source.isComplete else { return nil }
    return source.row
  }

  public func source(key: String) throws(StoreError) -> SourceRow? {
    try checkOpen()
    let rows = tables.sources.values.filter { $0.isComplete && $0.row.key == key }.map(\.row)
    return rows.max { $0.id.rawValue < $1.id.rawValue }
  }

  public func incompleteSources() throws(StoreError) -> [SourceRow] {
    try checkOpen()
    let rows = tables.sources.values.filter { !$0.isComplete && !$0.isDiscarded }.map(\.row)
    return rows.sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// Returns a source, or throws `.notFound` if it is missing or discarded.
  private func seen(_ id: SourceID) throws(StoreError) -> Tables.Source {
    guard let source = tables.sources[id], !source.isDiscarded else {
      throw Self.notFound("source \(id)")
    }
    return source
  }

  static func notFound(_ what: String) -> StoreError {
    StoreError(.notFound, "there is no \(what)")
  }
}
