package import Models
import Naming
package import Persistence

/// The changes of records.
package protocol RecordChanges: TableChanges {}

extension RecordChanges {
  package func appendRecord(
    _ draft: RecordDraft, at place: InsertPosition
  ) throws(StoreError) -> RecordID {
    try transaction { () throws(StoreError) in
      guard let isComplete = try isComplete(draft.source) else {
        throw notFound("source", draft.source.rawValue)
      }
      let key = try freeFolderKey(draft.folder)
      let id = try newIDs("record")
      try connection.run(
        """
        INSERT INTO record (id, source, position, title, folder, folder_key, lazy)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """, id, draft.source.rawValue, isComplete ? try newPosition(at: place) : nil, draft.title,
        draft.folder, key, draft.isLazy)
      return RecordID(id)
    }
  }

  package func standaloneRecord(folder: String) throws(StoreError) -> Record {
    // The record is created once and read often, so the read does not need a write transaction.
    if let known = try standaloneRecord() { return known }
    return try transaction { () throws(StoreError) in try makeStandaloneRecord(folder) }
  }

  private func makeStandaloneRecord(_ folder: String) throws(StoreError) -> Record {
    if let known = try standaloneRecord() { return known }
    let key = try freeFolderKey(folder)
    let id = try newIDs("record")
    try connection.run(
      """
      INSERT INTO record (id, kind, lazy, title, folder, folder_key) VALUES (?1, 1, 1, ?2, ?2, ?3)
      """, id, folder, key)
    return Record(
      id: RecordID(id), source: SourceID(0), title: folder, folder: folder, isLazy: true)
  }

  package func setPaused(_ paused: Bool, record: RecordID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try connection.run("UPDATE record SET paused = ?1 WHERE id = ?2", paused, record.rawValue)
      guard connection.changeCount == 1 else { throw notFound("record", record.rawValue) }
    }
  }

  package func setPriority(_ priority: RecordPriority, record: RecordID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try connection.run(
        "UPDATE record SET priority = ?1 WHERE id = ?2", priority.rawValue, record.rawValue)
      guard connection.changeCount == 1 else { throw notFound("record", record.rawValue) }
    }
  }

  private func freeFolderKey(_ folder: String) throws(StoreError) -> String {
    let key = SafeName.foldingKey(folder)
    guard try connection.integer("SELECT count(*) FROM record WHERE folder_key = ?1", key) == 0
    else {
      throw StoreError(.folderTaken, "the folder \"\(folder)\" belongs to another record")
    }
    return key
  }

  private func newPosition(at place: InsertPosition) throws(StoreError) -> Int64 {
    switch place {
    case .end: try connection.integer("SELECT coalesce(max(position), 0) + 1 FROM record")
    case .top: try connection.integer("SELECT coalesce(min(position), 2) - 1 FROM record")
    }
  }
}
