package import Models
package import Persistence

extension Connection {
  /// Returns the resources in `state` with the lowest ids above `after`.
  ///
  /// Reads record by record, in order of their first resource, and only records that have such resources: a
  /// paused or invisible record costs nothing, however long it is. The id ranges of records overlap seldom
  /// (if two sources are added at the same time), so that the first one or two records usually fill the
  /// window.
  package func resources(
    in state: ResourceState, of priority: RecordPriority?, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource] {
    try transaction(.reading) { () throws(StoreError) in
      let after = after?.rawValue ?? 0
      guard limit > 0 else { return [] }
      let isWaiting = """
        AND paused = 0 AND lazy = 0 \(priority.map { "AND priority = \($0.rawValue)" } ?? "")
        """
      let records = try prepared(
        """
        SELECT id, first_resource FROM record
        WHERE \(state.rawValue) > 0 AND last_resource > ?1 AND \(Self.isInPlace)
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
        // A record whose ids are all behind the window contributes at most the free room.
        let isBehind = window.last.map { $0.id.rawValue < first } ?? true
        let room = isBehind ? limit - window.count : limit
        if room == 0 { break }
        let more = try resources(of: record, in: state, after: after, limit: room)
        window = Self.merge(window, more, limit: limit)
      }
      return window
    }
  }

  /// An SQL condition: the resource is in `state`, which is neither `stored` nor `finished`. The partial
  /// index `resource_queue` serves it.
  static func isInQueue(_ state: ResourceState) -> String {
    """
    resource.state = \(state.number) AND resource.state <> \(ResourceState.finished.number) \
    AND NOT \(Row.isStored)
    """
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
    let part = try rows(
      """
      SELECT id, url FROM resource INDEXED BY resource_queue
      WHERE record = ?1 AND \(Self.isInQueue(.queued)) AND id > ?2 ORDER BY id LIMIT ?3
      """, record.rawValue, after?.rawValue ?? 0, max(0, limit)
    ) { row throws(StoreError) in (ResourceID(row.integer()), row.text()) }
    return (urls.intersection(part.map(\.1)), part.last?.0)
  }
}
