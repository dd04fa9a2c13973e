package import Models
package import Persistence

/// The queries on the table `record`.
package protocol RecordQueries: ConnectionOwner, RecordRows {}

extension RecordQueries {
  package func standaloneRecord() throws(StoreError) -> Record? {
    try connection.first("SELECT \(Row.recordColumns) FROM record WHERE kind = 1 AND removed = 0") {
      row throws(StoreError) in try row.record()
    }
  }

  package func records(offset: Int, limit: Int) throws(StoreError) -> [Record] {
    try connection.rows(
      """
      SELECT \(Row.recordColumns) FROM record WHERE position IS NOT NULL
      ORDER BY position LIMIT ?1 OFFSET ?2
      """, max(0, limit), max(0, offset)
    ) { row throws(StoreError) in try row.record() }
  }

  package func record(_ id: RecordID) throws(StoreError) -> Record? {
    try connection.first(
      "SELECT \(Row.recordColumns) FROM record WHERE id = ?1 AND \(Condition.isInPlace)",
      id.rawValue
    ) { row throws(StoreError) in try row.record() }
  }

  package func records(of source: SourceID) throws(StoreError) -> [Record] {
    try connection.rows(
      """
      SELECT \(Row.recordColumns) FROM record WHERE source = ?1 AND position IS NOT NULL
      ORDER BY position
      """, source.rawValue
    ) { row throws(StoreError) in try row.record() }
  }

  package func firstRecord(of source: SourceID) throws(StoreError) -> RecordID? {
    try connection.first(
      """
      SELECT id FROM record INDEXED BY record_source
      WHERE source = ?1 AND position IS NOT NULL ORDER BY id LIMIT 1
      """, source.rawValue
    ) { row throws(StoreError) in RecordID(row.integer()) }
  }

  package func records(titled title: String) throws(StoreError) -> [Record] {
    try connection.rows(
      """
      SELECT \(Row.recordColumns) FROM record WHERE title = ?1 AND position IS NOT NULL
      ORDER BY position
      """, title
    ) { row throws(StoreError) in try row.record() }
  }

  package func recordsInChange() throws(StoreError) -> [RecordID] {
    try connection.rows("SELECT record FROM record_verb ORDER BY record") {
      row throws(StoreError) in
      RecordID(row.integer())
    }
  }

  package func keepsFiles(ofRemoved record: RecordID) throws(StoreError) -> Bool {
    try connection.integer(
      "SELECT count(*) FROM record WHERE id = ?1 AND removed = 1 AND keeps_files = 1",
      record.rawValue) == 1
  }

  package func removedRecords() throws(StoreError) -> [Record] {
    try connection.rows("SELECT \(Row.recordColumns) FROM record WHERE removed = 1 ORDER BY id") {
      row throws(StoreError) in try row.record()
    }
  }

  package func recordCount() throws(StoreError) -> Int {
    Int(try connection.integer("SELECT count(*) FROM record WHERE position IS NOT NULL"))
  }

  package func totals() throws(StoreError) -> ResourceCounts {
    let sums = """
      sum(queued), sum(stored), sum(fetched), sum(finished), sum(failed), sum(bytes), sum(named)
      """
    let counts = try connection.first("SELECT \(sums) FROM record WHERE position IS NOT NULL") {
      row throws(StoreError) in row.counts()
    }
    return counts ?? ResourceCounts()
  }
}
