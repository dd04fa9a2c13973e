public import Models
public import Persistence

/// What changes many rows, to its end: in parts that are shorter than the records of the tests.
extension LibraryStore {
  private var partLength: Int { 3 }

  /// - Returns: how many resources were changed.
  public func perform(_ verb: RecordVerb, on record: RecordID) throws(StoreError) -> Int {
    try beginChange(verb, of: record)
    var count = 0
    while let part = try advance(record, limit: partLength) { count += part }
    return count
  }

  public func removeRecord(_ record: RecordID) throws(StoreError) {
    try markRemoved(record)
    while try !removeRows(of: record, limit: partLength) {}
  }

  /// Removes a source with the rows of its records.
  public func removeSource(_ source: SourceID) throws(StoreError) {
    try discardSource(source)
    for record in try removedRecords() {
      while try !removeRows(of: record.id, limit: partLength) {}
    }
  }
}
