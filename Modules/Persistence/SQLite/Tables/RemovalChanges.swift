package import Models
package import Persistence

/// The removal of records: a record is first hidden by a mark, and its rows are then deleted a few at a time.
package protocol RemovalChanges: TableChanges {}

extension RemovalChanges {
  package func markRemoved(
    _ record: RecordID, keepingFiles keepsFiles: Bool
  ) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try connection.run(
        "UPDATE record SET removed = 1, position = NULL, keeps_files = ?2 WHERE id = ?1",
        record.rawValue, keepsFiles)
      guard connection.changeCount == 1 else { throw notFound("record", record.rawValue) }
      try connection.run("DELETE FROM record_verb WHERE record = ?1", record.rawValue)
    }
  }

  package func markAllRemoved() throws(StoreError) {
    try transaction { () throws(StoreError) in
      try connection.run("UPDATE record SET removed = 1, position = NULL")
      try connection.run("DELETE FROM record_verb")
    }
  }

  package func removeRows(of record: RecordID, limit: Int) throws(StoreError) -> Bool {
    try transaction { () throws(StoreError) in
      let id = record.rawValue
      let isMarked = try connection.integer(
        "SELECT count(*) FROM record WHERE id = ?1 AND removed = 1", id)
      guard isMarked == 1 else { return true }
      let last = try connection.first(
        "SELECT position FROM resource WHERE record = ?1 ORDER BY position LIMIT 1 OFFSET ?2",
        id, max(0, limit - 1)
      ) { row throws(StoreError) in row.integer() }
      let isPart = "record = ?1 AND position <= ?2"
      for table in ["stored", "page", "file"] {
        try connection.run(
          "DELETE FROM \(table) WHERE resource IN (SELECT id FROM resource WHERE \(isPart))",
          id, last ?? .max)
      }
      try connection.run("DELETE FROM resource WHERE \(isPart)", id, last ?? .max)
      guard last == nil else { return false }
      try connection.run(
        """
        DELETE FROM source
        WHERE id = (SELECT source FROM record WHERE record.id = ?1) AND discarded = 1
          AND NOT EXISTS (SELECT 1 FROM record WHERE source = source.id AND record.id <> ?1)
        """, id)
      try connection.run("DELETE FROM record_verb WHERE record = ?1", id)
      try connection.run("DELETE FROM record WHERE id = ?1", id)
      return true
    }
  }

  package func discardSource(_ id: SourceID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try connection.run(
        "UPDATE record SET removed = 1, position = NULL WHERE source = ?1", id.rawValue)
      if connection.changeCount > 0 {
        try connection.run(
          "DELETE FROM record_verb WHERE record IN (SELECT id FROM record WHERE source = ?1)",
          id.rawValue)
        try connection.run(
          "UPDATE source SET complete = 0, discarded = 1 WHERE id = ?1", id.rawValue)
      } else {
        try connection.run("DELETE FROM source WHERE id = ?1", id.rawValue)
      }
    }
  }

  /// Deletes all rows, except those with the last assigned ids.
  func emptyTables() throws(StoreError) {
    try transaction { () throws(StoreError) in
      let tables = [
        "page", "partial", "file", "stored", "resource", "record", "source", "cache_entry",
        "page_work", "record_verb",
      ]
      for table in tables { try connection.run("DELETE FROM \(table)") }
      try connection.run("UPDATE cache SET count = 0, bytes = 0")
      // SQLite reports no rows when it deletes all of a table.
      connection.recentRows?.removeAll()
      try setLibraryState(LibraryState())
    }
  }
}
