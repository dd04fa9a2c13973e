public import Models
public import Persistence

extension MemoryStore {
  public func beginSource(_ draft: SourceDraft) throws(StoreError) -> SourceID {
    try write { () throws(StoreError) in tables.insert(draft) }
  }

  public func completeSource(_ id: SourceID) throws(StoreError) {
    try write { () throws(StoreError) in try tables.complete(id) }
  }

  public func setState(_ state: SourceState, of source: SourceID) throws(StoreError) {
    try write { () throws(StoreError) in try tables.setState(state, of: source) }
  }

  public func setOptions(_ options: String?, of source: SourceID) throws(StoreError) {
    try write { () throws(StoreError) in try tables.setOptions(options, of: source) }
  }

  public func discardSource(_ id: SourceID) throws(StoreError) {
    try write { () throws(StoreError) in tables.discard(id) }
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
}
