package import Models
package import Persistence

extension SQLiteStore: SourceTable {
  package func beginSource(_ draft: SourceDraft) throws(StoreError) -> SourceID {
    try transaction { () throws(StoreError) in
      let id = try newIDs("source")
      try run(
        "INSERT INTO source (id, key, location, format, lazy) VALUES (?1, ?2, ?3, ?4, ?5)",
        id, draft.key, draft.location, draft.format, draft.isLazy)
      return SourceID(id)
    }
  }

  package func completeSource(_ id: SourceID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      guard let isComplete = try isComplete(id) else { throw notFound("source", id.rawValue) }
      guard !isComplete else { return }
      try run("UPDATE source SET complete = 1 WHERE id = ?1", id.rawValue)
      let last = try integer("SELECT max(position) FROM record")
      // Ids rise in order of creation, so positions derived from them keep that order.
      let first = try integer("SELECT min(id) FROM record WHERE source = ?1", id.rawValue)
      try run(
        "UPDATE record SET position = id - ?2 + ?3 WHERE source = ?1 AND removed = 0",
        id.rawValue, first, last &+ 1)
    }
  }

  package func note(_ state: SourceState, of source: SourceID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try run(
        """
        UPDATE source SET entity_tag = ?2, last_modified = ?3, next_page = ?4, public = ?5,
          series = ?6
        WHERE id = ?1 AND discarded = 0
        """, source.rawValue, state.validator.entityTag?.fieldValue, state.validator.lastModified,
        state.nextPage, state.isPublic, state.isSeries)
      guard changeCount == 1 else { throw notFound("source", source.rawValue) }
    }
  }

  /// Returns whether a source is complete, or nil if it is missing or discarded.
  func isComplete(_ id: SourceID) throws(StoreError) -> Bool? {
    try first("SELECT complete FROM source WHERE id = ?1 AND discarded = 0", id.rawValue) {
      row throws(StoreError) in row.integer() != 0
    }
  }

  /// Reserves `count` new ids of a table, and returns the first.
  func newIDs(_ table: String, count: Int = 1) throws(StoreError) -> Int64 {
    let last = try integer(
      "UPDATE sequence SET last = last + ?1 WHERE name = ?2 RETURNING last", count, table)
    return last &- Int64(count) &+ 1
  }

  func notFound(_ what: String, _ id: Int64) -> StoreError {
    StoreError(.notFound, "\(path): there is no \(what) \(id)")
  }
}
