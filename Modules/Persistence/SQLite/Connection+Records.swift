import Models
import Persistence

extension Connection {
  func appendRecord(_ draft: RecordDraft) throws(StoreError) -> RecordID {
    guard let isComplete = try isComplete(draft.source) else {
      throw notFound("source", draft.source.rawValue)
    }
    let key = SafeName.foldingKey(draft.folder)
    guard try integer("SELECT count(*) FROM record WHERE folder_key = ?1", key) == 0 else {
      throw StoreError(.folderTaken, "the folder \"\(draft.folder)\" belongs to another record")
    }
    let id = try newIDs("record")
    try run(
      """
      INSERT INTO record (id, source, position, title, folder, folder_key)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """, id, draft.source.rawValue, isComplete ? try lastPosition() + 1 : nil, draft.title,
      draft.folder, key)
    return RecordID(id)
  }

  func records(offset: Int, limit: Int) throws(StoreError) -> [Record] {
    try rows(
      """
      SELECT \(Row.recordColumns) FROM record WHERE position IS NOT NULL
      ORDER BY position LIMIT ?1 OFFSET ?2
      """, max(0, limit), max(0, offset)
    ) { row throws(StoreError) in row.record() }
  }

  func record(_ id: RecordID) throws(StoreError) -> Record? {
    try first(
      "SELECT \(Row.recordColumns) FROM record WHERE id = ?1 AND position IS NOT NULL",
      id.rawValue
    ) { row throws(StoreError) in row.record() }
  }

  func records(of source: SourceID) throws(StoreError) -> [Record] {
    try rows(
      """
      SELECT \(Row.recordColumns) FROM record WHERE source = ?1 AND position IS NOT NULL
      ORDER BY position
      """, source.rawValue
    ) { row throws(StoreError) in row.record() }
  }

  func records(titled title: String) throws(StoreError) -> [Record] {
    try rows(
      """
      SELECT \(Row.recordColumns) FROM record WHERE title = ?1 AND position IS NOT NULL
      ORDER BY position
      """, title
    ) { row throws(StoreError) in row.record() }
  }

  func recordCount() throws(StoreError) -> Int {
    Int(try integer("SELECT count(*) FROM record WHERE position IS NOT NULL"))
  }

  func totals() throws(StoreError) -> ResourceCounts {
    let sums = "sum(queued), sum(stored), sum(fetched), sum(finished), sum(failed), sum(bytes)"
    let counts = try first("SELECT \(sums) FROM record WHERE position IS NOT NULL") {
      row throws(StoreError) in row.counts()
    }
    return counts ?? ResourceCounts()
  }

  func setPaused(_ paused: Bool, record: RecordID) throws(StoreError) {
    try run("UPDATE record SET paused = ?1 WHERE id = ?2", paused, record.rawValue)
    guard changeCount == 1 else { throw notFound("record", record.rawValue) }
  }
}
