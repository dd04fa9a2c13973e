import Models
import Naming
import Persistence

extension Connection {
  func appendRecord(
    _ draft: RecordDraft, at place: ListPlace
  ) throws(StoreError) -> RecordID {
    guard let isComplete = try isComplete(draft.source) else {
      throw notFound("source", draft.source.rawValue)
    }
    let key = try freeFolderKey(draft.folder)
    let id = try newIDs("record")
    try run(
      """
      INSERT INTO record (id, source, position, title, folder, folder_key, lazy)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """, id, draft.source.rawValue, isComplete ? try newPosition(at: place) : nil, draft.title,
      draft.folder, key, draft.isLazy)
    return RecordID(id)
  }

  /// nil if it is not made yet.
  func looseRecord() throws(StoreError) -> Record? {
    try first("SELECT \(Row.recordColumns) FROM record WHERE kind = 1") {
      row throws(StoreError) in try row.record()
    }
  }

  func looseRecord(making folder: String) throws(StoreError) -> Record {
    if let known = try looseRecord() { return known }
    let key = try freeFolderKey(folder)
    let id = try newIDs("record")
    try run(
      """
      INSERT INTO record (id, kind, lazy, title, folder, folder_key) VALUES (?1, 1, 1, ?2, ?2, ?3)
      """, id, folder, key)
    return Record(
      id: RecordID(id), source: SourceID(0), title: folder, folder: folder, isLazy: true)
  }

  func records(offset: Int, limit: Int) throws(StoreError) -> [Record] {
    try rows(
      """
      SELECT \(Row.recordColumns) FROM record WHERE position IS NOT NULL
      ORDER BY position LIMIT ?1 OFFSET ?2
      """, max(0, limit), max(0, offset)
    ) { row throws(StoreError) in try row.record() }
  }

  /// True of a record whose resources can be seen.
  static let isInPlace = "(record.position IS NOT NULL OR record.kind = 1)"

  func record(_ id: RecordID) throws(StoreError) -> Record? {
    try first(
      "SELECT \(Row.recordColumns) FROM record WHERE id = ?1 AND \(Self.isInPlace)", id.rawValue
    ) { row throws(StoreError) in try row.record() }
  }

  func records(of source: SourceID) throws(StoreError) -> [Record] {
    try rows(
      """
      SELECT \(Row.recordColumns) FROM record WHERE source = ?1 AND position IS NOT NULL
      ORDER BY position
      """, source.rawValue
    ) { row throws(StoreError) in try row.record() }
  }

  func records(titled title: String) throws(StoreError) -> [Record] {
    try rows(
      """
      SELECT \(Row.recordColumns) FROM record WHERE title = ?1 AND position IS NOT NULL
      ORDER BY position
      """, title
    ) { row throws(StoreError) in try row.record() }
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

  func setPriority(_ priority: RecordPriority, record: RecordID) throws(StoreError) {
    try run("UPDATE record SET priority = ?1 WHERE id = ?2", priority.rawValue, record.rawValue)
    guard changeCount == 1 else { throw notFound("record", record.rawValue) }
  }

  private func freeFolderKey(_ folder: String) throws(StoreError) -> String {
    let key = SafeName.foldingKey(folder)
    guard try integer("SELECT count(*) FROM record WHERE folder_key = ?1", key) == 0 else {
      throw StoreError(.folderTaken, "the folder \"\(folder)\" belongs to another record")
    }
    return key
  }

  private func newPosition(at place: ListPlace) throws(StoreError) -> Int64 {
    switch place {
    case .end: try integer("SELECT coalesce(max(position), 0) + 1 FROM record")
    case .top: try integer("SELECT coalesce(min(position), 2) - 1 FROM record")
    }
  }
}
