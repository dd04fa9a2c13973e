import Models
import Persistence

/// Removals. None of these may be called in a transaction: each is one.
extension Connection {
  func removeRecord(_ id: RecordID) throws(StoreError) {
    try removing { () throws(StoreError) in try removeRows(of: [id.rawValue]) }
  }

  func discardSource(_ id: SourceID) throws(StoreError) {
    try removing { () throws(StoreError) in
      let records = try rows("SELECT id FROM record WHERE source = ?1", id.rawValue) {
        row throws(StoreError) in row.integer()
      }
      try removeRows(of: records)
      try run("DELETE FROM source WHERE id = ?1", id.rawValue)
    }
  }

  /// Empties every table, but ids go on, and gives the space back.
  func removeAll() throws(StoreError) {
    try removing { () throws(StoreError) in
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

  private func removing(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try transaction(.writing, body)
    boundLog()
  }
}
