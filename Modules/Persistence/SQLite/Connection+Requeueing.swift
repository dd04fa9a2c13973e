import Models
import Persistence

/// Whole records back into the queue, or out of it.
extension Connection {
  func requeueFailed(of record: RecordID?) throws(StoreError) -> Int {
    try moveFailed(of: record, to: \.queued, .queued)
  }

  func processAgain(
    of record: RecordID?, failedWith reason: String
  ) throws(StoreError) -> Int {
    try moveFailed(of: record, to: \.fetched, .fetched, onlyWhole: reason)
  }

  /// Gives failed resources another state.
  /// - Parameters:
  ///   - counter: the count of that state.
  ///   - reason: only resources that failed for this reason and have their file; nil: all of them.
  /// - Returns: how many.
  private func moveFailed(
    of record: RecordID?, to counter: WritableKeyPath<ResourceCounts, Int>, _ state: ResourceState,
    onlyWhole reason: String? = nil
  ) throws(StoreError) -> Int {
    var total = 0
    for record in try recordsWithFailures(record) {
      try run(
        """
        UPDATE resource SET state = ?2, reason = NULL, attempts = 0
        WHERE record = ?1 AND \(Self.isInQueue(.failed)) AND (?3 IS NULL OR (
          reason = ?3 AND reload = 0
          AND EXISTS (SELECT 1 FROM file WHERE file.resource = resource.id)))
        """, record, state.number, reason)
      let count = changeCount
      var delta = ResourceCounts()
      delta[keyPath: counter] = count
      delta.failed = -count
      total += count
      try self.count(delta, of: record)
    }
    return total
  }

  /// - Parameter record: nil: all.
  private func recordsWithFailures(_ record: RecordID?) throws(StoreError) -> [Int64] {
    if let record { return [record.rawValue] }
    return try rows("SELECT id FROM record WHERE failed > 0") { row throws(StoreError) in
      row.integer()
    }
  }

  func requeueAll(of record: RecordID) throws(StoreError) -> Int {
    try run(
      "UPDATE resource SET state = ?2, reason = NULL, attempts = 0, reload = 1 WHERE record = ?1",
      record.rawValue, ResourceState.queued.number)
    let count = changeCount
    try forgetStored(of: record.rawValue)
    try run(
      """
      UPDATE record SET queued = ?2, stored = 0, fetched = 0, finished = 0, failed = 0
      WHERE id = ?1
      """, record.rawValue, count)
    return count
  }

  func giveUpQueued(of record: RecordID, reason: String) throws(StoreError) -> Int {
    try run(
      """
      UPDATE resource SET state = ?2, reason = NULL, reload = 0
      WHERE record = ?1 AND \(Self.isInQueue(.queued))
        AND EXISTS (SELECT 1 FROM file WHERE file.resource = resource.id)
      """, record.rawValue, ResourceState.fetched.number)
    var delta = ResourceCounts()
    delta.fetched = changeCount
    try run(
      """
      UPDATE resource SET state = ?2, reason = ?3 WHERE record = ?1 AND \(Self.isInQueue(.queued))
      """, record.rawValue, ResourceState.failed.number, reason)
    delta.failed = changeCount
    delta.queued = -(delta.fetched + delta.failed)
    try count(delta, of: record.rawValue)
    return delta.fetched + delta.failed
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
