package import Models
package import Persistence

extension SQLiteStore {
  package func markRemoved(_ record: RecordID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try run("UPDATE record SET removed = 1, position = NULL WHERE id = ?1", record.rawValue)
      guard changeCount == 1 else { throw notFound("record", record.rawValue) }
    }
  }

  package func markAllRemoved() throws(StoreError) {
    try transaction { () throws(StoreError) in
      try run("UPDATE record SET removed = 1, position = NULL")
    }
  }

  package func removeRecord(_ id: RecordID) throws(StoreError) {
    try transaction { () throws(StoreError) in try removeRows(of: [id.rawValue]) }
  }

  package func discardSource(_ id: SourceID) throws(StoreError) {
    do throws(StoreError) {
      try discardAtOnce(id)
    } catch {
      guard error.code == .diskFull else { throw error }
      // The log has no room for all of it.
      for record in try recordNumbers(of: id) { try discardResources(of: record) }
      try discardAtOnce(id)
    }
  }

  /// Removes the rows of a record that nobody has seen yet, a few at a time, so that the log stays as
  /// small as it can be. Interrupted, the rest is still to be discarded.
  private func discardResources(of record: Int64) throws(StoreError) {
    var count = 256
    while true {
      do throws(StoreError) {
        let removed = try transaction { () throws(StoreError) in
          try discardResources(of: record, atMost: count)
        }
        emptyLog()
        if removed < count { return }
      } catch {
        guard error.code == .diskFull, count > 1 else { throw error }
        count /= 2
      }
    }
  }

  /// Of an incomplete source: nothing but the queue counts its resources, and they have no files.
  private func discardResources(of record: Int64, atMost count: Int) throws(StoreError) -> Int {
    try run(
      """
      DELETE FROM resource WHERE id IN
        (SELECT id FROM resource WHERE record = ?1 ORDER BY position LIMIT ?2)
      """, record, Int64(count))
    let removed = changeCount
    try run("UPDATE record SET queued = queued - ?2 WHERE id = ?1", record, Int64(removed))
    return removed
  }

  private func recordNumbers(of source: SourceID) throws(StoreError) -> [Int64] {
    try rows("SELECT id FROM record WHERE source = ?1", source.rawValue) { row throws(StoreError) in
      row.integer()
    }
  }

  private func discardAtOnce(_ id: SourceID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try removeRows(of: try recordNumbers(of: id))
      try run("DELETE FROM source WHERE id = ?1", id.rawValue)
    }
  }

  /// Empties every table, but ids go on, and gives the space back.
  package func removeAll() throws(StoreError) {
    try transaction { () throws(StoreError) in
      let tables = [
        "page", "partial", "file", "stored", "resource", "record", "source", "cache_entry",
        "page_work",
      ]
      for table in tables { try run("DELETE FROM \(table)") }
      try run("UPDATE cache SET count = 0, bytes = 0")
      try setLibraryState(LibraryState())
    }
    // The library is empty now; a file that stays large for a while is no failure.
    try? execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func removeRows(of records: [Int64]) throws(StoreError) {
    let indexes = try indexesToRemake(without: records)
    for index in indexes { try execute("DROP INDEX \(index.name)") }
    for record in records {
      try forgetStored(of: record)
      for table in ["page", "file"] {
        try run(
          "DELETE FROM \(table) WHERE resource IN (SELECT id FROM resource WHERE record = ?1)",
          record)
      }
      try run("DELETE FROM resource WHERE record = ?1", record)
      try run("DELETE FROM record WHERE id = ?1", record)
    }
    for index in indexes { try execute(index.sql) }
  }

  /// The indexes of `file` if much goes and little stays. Their entries are scattered, so that
  /// removing a million one by one takes five times as long as all the rest; making the indexes
  /// again costs a tenth of that for each that stays.
  private func indexesToRemake(
    without records: [Int64]
  ) throws(StoreError) -> [(name: String, sql: String)] {
    let total = "total(queued + stored + fetched + finished + failed)"
    var going: Int64 = 0
    for record in records {
      going &+= try integer("SELECT \(total) FROM record WHERE id = ?1", record)
    }
    let all = try integer("SELECT \(total) FROM record")
    guard going > 10_000, going > all / 4 else { return [] }
    return try rows(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'file'"
    ) { row throws(StoreError) in (row.text(), row.text()) }
  }
}
