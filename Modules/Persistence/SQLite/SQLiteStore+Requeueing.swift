package import Models
package import Persistence

/// Whole records back into the queue, or out of it.
extension SQLiteStore {
  package func requeueFailed(
    of record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> RowSlice {
    try moveFailed(of: record, to: \.queued, .queued, after, limit)
  }

  package func processAgain(
    of record: RecordID, failedWith reason: String, after: ResourceID?, limit: Int
  ) throws(StoreError) -> RowSlice {
    try moveFailed(of: record, to: \.fetched, .fetched, after, limit, onlyWhole: reason)
  }

  /// Gives failed resources another state.
  /// - Parameters:
  ///   - counter: the count of that state.
  ///   - reason: only resources that failed for this reason and have their file; nil: all of them.
  private func moveFailed(
    of record: RecordID, to counter: WritableKeyPath<ResourceCounts, Int>, _ state: ResourceState,
    _ after: ResourceID?, _ limit: Int, onlyWhole reason: String? = nil
  ) throws(StoreError) -> RowSlice {
    try transaction { () throws(StoreError) in
      let slice = try slice(of: record, in: .failed, after, limit)
      guard let first = slice.first, let last = slice.last else {
        return RowSlice(count: 0, last: nil)
      }
      try run(
        """
        UPDATE resource SET state = ?4, reason = NULL, attempts = 0
        WHERE record = ?1 AND id BETWEEN ?2 AND ?3 AND \(Self.isInQueue(.failed))
          AND (?5 IS NULL OR (
            reason = ?5 AND reload = 0
            AND EXISTS (SELECT 1 FROM file WHERE file.resource = resource.id)))
        """, record.rawValue, first, last, state.number, reason)
      var delta = ResourceCounts()
      delta[keyPath: counter] = changeCount
      delta.failed = -delta[keyPath: counter]
      if delta.failed != 0 { try count(delta, of: record.rawValue) }
      return RowSlice(count: -delta.failed, last: ResourceID(last))
    }
  }

  /// The next rows of a record that are in a state of the queue, by id.
  private func slice(
    of record: RecordID, in state: ResourceState, _ after: ResourceID?, _ limit: Int
  ) throws(StoreError) -> [Int64] {
    try rows(
      """
      SELECT id FROM resource INDEXED BY resource_queue
      WHERE record = ?1 AND \(Self.isInQueue(state)) AND id > ?2
      ORDER BY id LIMIT ?3
      """, record.rawValue, after?.rawValue ?? 0, max(0, limit)
    ) { row throws(StoreError) in row.integer() }
  }

  package func requeueAll(
    of record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> RowSlice {
    try transaction { () throws(StoreError) in
      let ids = try rows(
        """
        SELECT id FROM resource WHERE record = ?1 AND \(Self.isBehind("?2"))
        ORDER BY position LIMIT ?3
        """, record.rawValue, after?.rawValue, max(0, limit)
      ) { row throws(StoreError) in ResourceID(row.integer()) }
      var standings = try standings(of: ids, filesOf: [])
      for index in standings.entries.indices {
        standings[index].state = .queued
        standings[index].reason = nil
        standings[index].attempts = 0
        standings[index].mustReload = true
      }
      try write(standings)
      return RowSlice(count: ids.count, last: ids.last)
    }
  }

  package func giveUpQueued(
    of record: RecordID, reason: String, after: ResourceID?, limit: Int
  ) throws(StoreError) -> RowSlice {
    try transaction { () throws(StoreError) in
      let slice = try slice(of: record, in: .queued, after, limit)
      guard let first = slice.first, let last = slice.last else {
        return RowSlice(count: 0, last: nil)
      }
      let isMeant = "record = ?1 AND id BETWEEN ?2 AND ?3 AND \(Self.isInQueue(.queued))"
      var delta = ResourceCounts()
      try run(
        """
        UPDATE resource SET state = ?4, reason = NULL, reload = 0
        WHERE \(isMeant) AND EXISTS (SELECT 1 FROM file WHERE file.resource = resource.id)
        """, record.rawValue, first, last, ResourceState.fetched.number)
      delta.fetched = changeCount
      try run(
        "UPDATE resource SET state = ?4, reason = ?5 WHERE \(isMeant)",
        record.rawValue, first, last, ResourceState.failed.number, reason)
      delta.failed = changeCount
      delta.queued = -(delta.fetched + delta.failed)
      try count(delta, of: record.rawValue)
      return RowSlice(count: -delta.queued, last: ResourceID(last))
    }
  }

  /// Goes through `stored`, which is as long as a batch, not through the record.
  func forgetStored(of record: Int64) throws(StoreError) {
    try run(
      """
      DELETE FROM stored
      WHERE (SELECT record FROM resource WHERE resource.id = stored.resource) = ?1
      """, record)
  }
}
