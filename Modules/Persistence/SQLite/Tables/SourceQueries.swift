package import Models
package import Persistence

/// The queries on the table `source`.
package protocol SourceQueries: ConnectionOwner, SourceRows {}

extension SourceQueries {
  package func source(_ id: SourceID) throws(StoreError) -> SourceRow? {
    try connection.first(
      "SELECT \(Row.sourceColumns) FROM source WHERE id = ?1 AND complete = 1", id.rawValue
    ) { row throws(StoreError) in row.source() }
  }

  package func source(key: String) throws(StoreError) -> SourceRow? {
    try connection.first(
      """
      SELECT \(Row.sourceColumns) FROM source WHERE key = ?1 AND complete = 1
      ORDER BY id DESC LIMIT 1
      """, key
    ) { row throws(StoreError) in row.source() }
  }

  package func incompleteSources() throws(StoreError) -> [SourceRow] {
    try connection.rows(
      "SELECT \(Row.sourceColumns) FROM source WHERE complete = 0 AND discarded = 0 ORDER BY id"
    ) {
      row throws(StoreError) in row.source()
    }
  }

  /// Returns whether a source is complete, or nil if it is missing or discarded.
  func isComplete(_ id: SourceID) throws(StoreError) -> Bool? {
    try connection.first("SELECT complete FROM source WHERE id = ?1 AND discarded = 0", id.rawValue)
    {
      row throws(StoreError) in row.integer() != 0
    }
  }
}
