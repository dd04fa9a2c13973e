public import Models
public import Persistence

/// Changes of whole records, which proceed a few rows at a time.
extension MemoryStore {
  public func beginChange(_ verb: RecordVerb, of record: RecordID) throws(StoreError) {
    try write { () throws(StoreError) in try tables.beginChange(verb, of: record) }
  }

  public func advance(_ record: RecordID, limit: Int) throws(StoreError) -> Int? {
    try write { () throws(StoreError) in tables.advance(record, limit: limit) }
  }

  public func recordsInChange() throws(StoreError) -> [RecordID] {
    try checkOpen()
    return tables.verbs.keys.sorted()
  }
}
