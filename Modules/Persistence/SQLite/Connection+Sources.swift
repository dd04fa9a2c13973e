import Models
import Persistence

extension Connection {
  /// The first of `count` new ids of a table.
  func newIDs(_ table: String, count: Int = 1) throws(StoreError) -> Int64 {
    let last = try integer(
      "UPDATE sequence SET last = last + ?1 WHERE name = ?2 RETURNING last", count, table)
    return last &- Int64(count) &+ 1
  }

  /// The id of a table that was given last.
  func lastID(_ table: String) throws(StoreError) -> Int64 {
    try integer("SELECT last FROM sequence WHERE name = ?1", table)
  }

  func beginSource(_ draft: SourceDraft) throws(StoreError) -> SourceID {
    let id = try newIDs("source")
    try run(
      "INSERT INTO source (id, key, location, format, lazy) VALUES (?1, ?2, ?3, ?4, ?5)",
      id, draft.key, draft.location, draft.format, draft.isLazy)
    return SourceID(id)
  }

  func completeSource(_ id: SourceID) throws(StoreError) {
    guard let isComplete = try isComplete(id) else { throw notFound("source", id.rawValue) }
    guard !isComplete else { return }
    try run("UPDATE source SET complete = 1 WHERE id = ?1", id.rawValue)
    let last = try integer("SELECT max(position) FROM record")
    // Ids grow in order of creation, so they keep that order when they are moved to the end.
    let first = try integer("SELECT min(id) FROM record WHERE source = ?1", id.rawValue)
    try run(
      "UPDATE record SET position = id - ?2 + ?3 WHERE source = ?1", id.rawValue, first, last &+ 1)
  }

  func note(_ state: SourceState, of source: SourceID) throws(StoreError) {
    try run(
      """
      UPDATE source SET entity_tag = ?2, last_modified = ?3, next_page = ?4, public = ?5,
        series = ?6
      WHERE id = ?1
      """, source.rawValue, state.validator.entityTag?.fieldValue, state.validator.lastModified,
      state.nextPage, state.isPublic, state.isSeries)
    guard changeCount == 1 else { throw notFound("source", source.rawValue) }
  }

  func source(_ id: SourceID) throws(StoreError) -> SourceRow? {
    try first(
      "SELECT \(Row.sourceColumns) FROM source WHERE id = ?1 AND complete = 1", id.rawValue
    ) { row throws(StoreError) in row.source() }
  }

  func source(key: String) throws(StoreError) -> SourceRow? {
    try first(
      """
      SELECT \(Row.sourceColumns) FROM source WHERE key = ?1 AND complete = 1
      ORDER BY id DESC LIMIT 1
      """, key
    ) { row throws(StoreError) in row.source() }
  }

  func incompleteSources() throws(StoreError) -> [SourceRow] {
    try rows("SELECT \(Row.sourceColumns) FROM source WHERE complete = 0 ORDER BY id") {
      row throws(StoreError) in row.source()
    }
  }

  /// nil for a source that is not there.
  func isComplete(_ id: SourceID) throws(StoreError) -> Bool? {
    try first("SELECT complete FROM source WHERE id = ?1", id.rawValue) {
      row throws(StoreError) in row.integer() != 0
    }
  }

  func notFound(_ what: String, _ id: Int64) -> StoreError {
    StoreError(.notFound, "\(path): there is no \(what) \(id)")
  }
}
