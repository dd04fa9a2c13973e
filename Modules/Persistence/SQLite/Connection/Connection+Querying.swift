package import Persistence

extension Connection {
  /// Runs a statement and discards its rows.
  package func run<each Value: SQLValue>(
    _ sql: String, _ values: repeat each Value
  ) throws(StoreError) {
    try prepared(sql).run(repeat each values)
  }

  /// Returns all rows of a query.
  package func rows<each Value: SQLValue, Result>(
    _ sql: String, _ values: repeat each Value,
    read: (inout Row) throws(StoreError) -> Result
  ) throws(StoreError) -> [Result] {
    try prepared(sql).rows(repeat each values, read: read)
  }

  /// Returns the first row of a query, or nil if the query has no row.
  package func first<each Value: SQLValue, Result>(
    _ sql: String, _ values: repeat each Value,
    read: (inout Row) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    try prepared(sql).first(repeat each values, read: read)
  }

  /// Returns the first column of the first row as a number, or 0 if there is no row.
  package func integer<each Value: SQLValue>(
    _ sql: String, _ values: repeat each Value
  ) throws(StoreError) -> Int64 {
    try first(sql, repeat each values) { row throws(StoreError) in row.integer() } ?? 0
  }
}
