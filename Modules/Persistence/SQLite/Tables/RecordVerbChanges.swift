package import Models
package import Persistence

private struct Progress {
  let verb: RecordVerb
  /// The last resource examined so far; the change ends with `lastResource`.
  let last: Int64
  let lastResource: Int64
}

/// Changes of whole records, which proceed a few rows at a time.
package protocol RecordVerbChanges: TableChanges {}

extension RecordVerbChanges {
  package func beginChange(_ verb: RecordVerb, of record: RecordID) throws(StoreError) {
    try transaction { () throws(StoreError) in
      let ids = try connection.first(
        """
        SELECT coalesce(first_resource, 1), coalesce(last_resource, 0) FROM record
        WHERE id = ?1 AND \(Condition.isInPlace)
        """, record.rawValue
      ) { row throws(StoreError) in (row.integer(), row.integer()) }
      guard let ids else { throw notFound("record", record.rawValue) }
      try connection.run(
        """
        INSERT OR REPLACE INTO record_verb (record, kind, reason, last, until)
        VALUES (?1, ?2, ?3, ?4, ?5)
        """, record.rawValue, verb.number, verb.reason, ids.0 &- 1, ids.1)
    }
  }

  package func advance(_ record: RecordID, limit: Int) throws(StoreError) -> Int? {
    try transaction { () throws(StoreError) in
      guard let progress = try progress(of: record) else { return nil }
      let part = try part(of: record, progress, limit)
      guard let first = part.first, let last = part.last else {
        try connection.run("DELETE FROM record_verb WHERE record = ?1", record.rawValue)
        return nil
      }
      try connection.run(
        "UPDATE record_verb SET last = ?2 WHERE record = ?1", record.rawValue, last)
      return switch progress.verb {
      case .cancel(let reason): try failQueued(of: record, first...last, reason)
      case .retry(let reason): try requeueFailed(of: record, first...last, processing: reason)
      case .reload: try requeue(part, of: record)
      }
    }
  }

  /// Returns the progress of the record's unfinished change, or nil if there is none.
  private func progress(of record: RecordID) throws(StoreError) -> Progress? {
    try connection.first(
      "SELECT kind, reason, last, until FROM record_verb WHERE record = ?1", record.rawValue
    ) { row throws(StoreError) in
      let number = row.integer()
      let reason = row.optionalText() ?? ""
      let verb: RecordVerb =
        switch number {
        case 0: .cancel(reason: reason)
        case 1: .retry(processing: reason)
        default: .reload
        }
      return Progress(verb: verb, last: row.integer(), lastResource: row.integer())
    }
  }

  /// Returns the next resources to which the change applies, in order of id.
  private func part(
    of record: RecordID, _ progress: Progress, _ limit: Int
  ) throws(StoreError) -> [Int64] {
    let source =
      switch progress.verb {
      case .cancel: Self.inQueue(.queued)
      case .retry: Self.inQueue(.failed)
      // Scans the range of ids below without the index on `record`: the range contains hardly any rows of
      // other records, and the rows are in order of id already.
      case .reload: "resource NOT INDEXED WHERE record = ?1"
      }
    return try connection.rows(
      "SELECT id FROM \(source) AND id > ?2 AND id <= ?3 ORDER BY id LIMIT ?4",
      record.rawValue, progress.last, progress.lastResource, max(0, limit)
    ) { row throws(StoreError) in row.integer() }
  }

  /// Returns an SQL fragment that selects the resources of record ?1 in `state`.
  private static func inQueue(_ state: ResourceState) -> String {
    "resource INDEXED BY resource_queue WHERE record = ?1 AND \(Condition.isInQueue(state))"
  }

  private func failQueued(
    of record: RecordID, _ ids: ClosedRange<Int64>, _ reason: String
  ) throws(StoreError) -> Int {
    let condition = "record = ?1 AND id BETWEEN ?2 AND ?3 AND \(Condition.isInQueue(.queued))"
    var delta = ResourceCounts()
    try connection.run(
      "UPDATE resource INDEXED BY resource_named SET named = 0 WHERE named = 1 AND \(condition)",
      record.rawValue, ids.lowerBound, ids.upperBound)
    delta.named = -connection.changeCount
    try connection.run(
      """
      UPDATE resource SET state = ?4, reason = NULL, reload = 0
      WHERE \(condition) AND EXISTS (SELECT 1 FROM file WHERE file.resource = resource.id)
      """, record.rawValue, ids.lowerBound, ids.upperBound, ResourceState.fetched.number)
    delta.fetched = connection.changeCount
    try connection.run(
      "UPDATE resource SET state = ?4, reason = ?5 WHERE \(condition)",
      record.rawValue, ids.lowerBound, ids.upperBound, ResourceState.failed.number, reason)
    delta.failed = connection.changeCount
    delta.queued = -(delta.fetched + delta.failed)
    try delta.add(toRecord: record.rawValue, on: connection)
    return -delta.queued
  }

  private func requeueFailed(
    of record: RecordID, _ ids: ClosedRange<Int64>, processing reason: String
  ) throws(StoreError) -> Int {
    let change = """
      UPDATE resource SET state = ?4, reason = NULL, attempts = 0
      WHERE record = ?1 AND id BETWEEN ?2 AND ?3 AND \(Condition.isInQueue(.failed))
      """
    var delta = ResourceCounts()
    try connection.run(
      """
      \(change) AND reason = ?5 AND reload = 0
        AND EXISTS (SELECT 1 FROM file WHERE file.resource = resource.id)
      """, record.rawValue, ids.lowerBound, ids.upperBound, ResourceState.fetched.number, reason)
    delta.fetched = connection.changeCount
    if try isLazy(record) {
      try connection.run(
        """
        UPDATE resource SET named = 1 WHERE record = ?1 AND id BETWEEN ?2 AND ?3 AND named = 0
          AND \(Condition.isInQueue(.failed))
        """, record.rawValue, ids.lowerBound, ids.upperBound)
      delta.named = connection.changeCount
    }
    try connection.run(
      change, record.rawValue, ids.lowerBound, ids.upperBound, ResourceState.queued.number)
    delta.queued = connection.changeCount
    delta.failed = -(delta.fetched + delta.queued)
    try delta.add(toRecord: record.rawValue, on: connection)
    return -delta.failed
  }

  private func requeue(_ ids: [Int64], of record: RecordID) throws(StoreError) -> Int {
    let isLazy = try isLazy(record)
    var updates = try ResourceRowUpdates(
      reading: ids.map { ResourceID($0) }, filesOf: [], from: connection)
    for index in updates.entries.indices {
      // What was never downloaded stays on demand.
      if isLazy, updates[index].state != .queued { updates[index].isNamed = true }
      updates[index].state = .queued
      updates[index].reason = nil
      updates[index].attempts = 0
      updates[index].mustReload = true
    }
    try updates.write(to: connection)
    return ids.count
  }

  private func isLazy(_ record: RecordID) throws(StoreError) -> Bool {
    try connection.first("SELECT lazy FROM record WHERE id = ?1", record.rawValue) {
      row throws(StoreError) in row.integer() != 0
    } ?? false
  }
}

extension RecordVerb {
  fileprivate var number: Int64 {
    switch self {
    case .cancel: 0
    case .retry: 1
    case .reload: 2
    }
  }

  fileprivate var reason: String? {
    switch self {
    case .cancel(let reason): reason
    case .retry(let reason): reason
    case .reload: nil
    }
  }
}
