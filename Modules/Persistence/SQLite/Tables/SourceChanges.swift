package import Models
package import Persistence

/// The changes of sources.
package protocol SourceChanges: TableChanges {}

extension SourceChanges {
  package func beginSource(_ draft: SourceDraft) throws(StoreError) -> SourceID {
    try transaction { () throws(StoreError) in
      let id = try newIDs("source")
      try connection.run(
        """
        INSERT INTO source (id, key, location, format, lazy, options)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """, id, draft.key, draft.location, draft.format, draft.isLazy, draft.options)
      return SourceID(id)
    }
  }

  package func completeSource(_ id: SourceID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      guard let isComplete = try isComplete(id) else { throw notFound("source", id.rawValue) }
      guard !isComplete else { return }
      try connection.run("UPDATE source SET complete = 1 WHERE id = ?1", id.rawValue)
      let last = try connection.integer("SELECT max(position) FROM record")
      // Ids rise in order of creation, so positions derived from ids keep that order.
      let first = try connection.integer(
        "SELECT min(id) FROM record WHERE source = ?1", id.rawValue)
      try connection.run(
        "UPDATE record SET position = id - ?2 + ?3 WHERE source = ?1 AND removed = 0",
        id.rawValue, first, last &+ 1)
    }
  }

  package func setOptions(_ options: String?, of source: SourceID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try connection.run(
        "UPDATE source SET options = ?2 WHERE id = ?1 AND discarded = 0", source.rawValue, options)
      guard connection.changeCount == 1 else { throw notFound("source", source.rawValue) }
    }
  }

  package func setState(_ state: SourceState, of source: SourceID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try connection.run(
        """
        UPDATE source SET entity_tag = ?2, last_modified = ?3, next_page = ?4, public = ?5,
          series = ?6, layout = ?7, content_format = ?8, cut = ?9, cookies = ?10
        WHERE id = ?1 AND discarded = 0
        """, source.rawValue, state.validator.entityTag?.fieldValue, state.validator.lastModified,
        state.nextPage, state.isPublic, state.isSeries, state.layout, state.format,
        state.isCut, state.setsCookies)
      guard connection.changeCount == 1 else { throw notFound("source", source.rawValue) }
    }
  }
}
