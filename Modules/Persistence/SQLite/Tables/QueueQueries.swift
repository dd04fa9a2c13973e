package import Models
package import Persistence

/// The queries that find resources by their state.
package protocol QueueQueries: ConnectionOwner {}

extension QueueQueries {
  /// Returns the resources in `state` with the lowest ids above `after`, at most `limit`.
  ///
  /// Reads record by record, in order of the records' first ids, and only records that have such resources; a
  /// paused or invisible record costs nothing, however long it is. The id ranges of two records overlap only
  /// if their sources were added at the same time, or if a list alternates between them, so the first one or
  /// two records usually fill the window. Of the others, only rows before the end of the window are read.
  package func resources(
    in state: ResourceState, of priority: RecordPriority?, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource] {
    try connection.transaction(.reading) { () throws(StoreError) in
      let after = after?.rawValue ?? 0
      guard limit > 0 else { return [] }
      let isWaiting = """
        AND paused = 0 AND lazy = 0 \(priority.map { "AND priority = \($0.rawValue)" } ?? "")
        """
      let records = try connection.prepared(
        """
        SELECT id, first_resource FROM record
        WHERE \(state.rawValue) > 0 AND last_resource > ?1 AND \(Condition.isInPlace)
          \(state == .queued ? isWaiting : "")
        ORDER BY first_resource
        """)
      try records.bind(after)
      defer { records.reset() }
      var window: [Resource] = []
      while try records.step() {
        var row = Row(records)
        let record = RecordID(row.integer())
        let first = row.integer()
        // A record whose ids all follow those in the window can only add to the free places of the window.
        let isBehind = window.last.map { $0.id.rawValue < first } ?? true
        let room = isBehind ? limit - window.count : limit
        if room == 0 { break }
        let end = window.count < limit ? nil : window.last?.id.rawValue
        let more = try resources(
          of: record, in: state, after: after, before: end ?? .max, limit: room)
        window = Self.merge(window, more, limit: limit)
      }
      return window
    }
  }

  private static func merge(
    _ window: [Resource], _ more: [Resource], limit: Int
  ) -> [Resource] {
    let all = window + more
    guard let last = window.last, let first = more.first, first.id < last.id else {
      return Array(all.prefix(limit))
    }
    return Array(all.sorted { $0.id < $1.id }.prefix(limit))
  }

  package func queuedURLs(
    among urls: Set<String>, of record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> (urls: Set<String>, last: ResourceID?) {
    let part = try connection.rows(
      """
      SELECT id, url FROM resource INDEXED BY resource_queue
      WHERE record = ?1 AND \(Condition.isInQueue(.queued)) AND id > ?2 ORDER BY id LIMIT ?3
      """, record.rawValue, after?.rawValue ?? 0, max(0, limit)
    ) { row throws(StoreError) in (ResourceID(row.integer()), row.text()) }
    return (urls.intersection(part.map(\.1)), part.last?.0)
  }

  package func namedResources(of record: RecordID) throws(StoreError) -> [ResourceID] {
    try connection.rows(
      """
      SELECT id FROM resource INDEXED BY resource_named
      WHERE record = ?1 AND named = 1 AND \(Condition.isVisible) ORDER BY position
      """, record.rawValue
    ) { row throws(StoreError) in ResourceID(row.integer()) }
  }

  package func failedCount(of record: RecordID, reason: String) throws(StoreError) -> Int {
    try connection.first(
      """
      SELECT count(*) FROM resource INDEXED BY resource_queue
      WHERE record = ?1 AND \(Condition.isInQueue(.failed)) AND reason = ?2
      """, record.rawValue, reason
    ) { row throws(StoreError) in Int(row.integer()) } ?? 0
  }

  private func resources(
    of record: RecordID, in state: ResourceState, after: Int64, before: Int64, limit: Int
  ) throws(StoreError) -> [Resource] {
    let selected =
      switch state {
      case .stored: "stored CROSS JOIN resource ON resource.id = stored.resource"
      // No index covers finished resources, so the table is scanned.
      case .finished: "resource NOT INDEXED"
      case .queued, .fetched, .failed: "resource INDEXED BY resource_queue"
      }
    let condition =
      switch state {
      case .stored: "1"
      case .finished: "resource.state = \(state.number) AND NOT \(Row.isStored)"
      case .queued, .fetched, .failed: Condition.isInQueue(state)
      }
    return try connection.rows(
      """
      SELECT \(Row.columns(state: "\(state.number)"))
      FROM \(selected) LEFT JOIN file ON file.resource = resource.id
      WHERE resource.record = ?1 AND \(condition) AND resource.id > ?2 AND resource.id < ?4
      ORDER BY resource.id LIMIT ?3
      """, record.rawValue, after, limit, before
    ) { row throws(StoreError) in
      let resource = try row.resource()
      connection.recentRows?.add(resource)
      return resource
    }
  }
}
