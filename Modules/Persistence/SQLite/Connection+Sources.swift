package import Models
package import Persistence

extension Connection: SourceRows {
  package func source(_ id: SourceID) throws(StoreError) -> SourceRow? {
    try first(
      "SELECT \(Row.sourceColumns) FROM source WHERE id = ?1 AND complete = 1", id.rawValue
    ) { row throws(StoreError) in row.source() }
  }

  package func source(key: String) throws(StoreError) -> SourceRow? {
    try first(
      """
      SELECT \(Row.sourceColumns) FROM source WHERE key = ?1 AND complete = 1
      ORDER BY id DESC LIMIT 1
      """, key
    ) { row throws(StoreError) in row.source() }
  }

  package func incompleteSources() throws(StoreError) -> [SourceRow] {
    try rows(
      "SELECT \(Row.sourceColumns) FROM source WHERE complete = 0 AND discarded = 0 ORDER BY id"
    ) {
      row throws(StoreError) in row.source()
    }
  }
}
