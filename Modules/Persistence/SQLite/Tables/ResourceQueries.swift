package import Models
package import Persistence

private let selectResource = """
  SELECT \(Row.resourceColumns)
  FROM resource LEFT JOIN file ON file.resource = resource.id
  """

/// The queries on the tables `resource` and `page`, except those by state.
package protocol ResourceQueries: RecordQueries {}

extension ResourceQueries {
  package func resource(_ id: ResourceID) throws(StoreError) -> Resource? {
    try connection.first(
      "\(selectResource) WHERE resource.id = ?1 AND \(Condition.isVisible)", id.rawValue
    ) { row throws(StoreError) in try row.resource() }
  }

  package func resources(
    of record: RecordID, offset: Int, limit: Int
  ) throws(StoreError) -> [Resource] {
    try connection.transaction(.reading) { () throws(StoreError) in
      guard let place = try place(offset, in: record) else { return [] }
      return try connection.rows(
        """
        \(selectResource) WHERE resource.record = ?1 AND resource.position >= ?2
        ORDER BY resource.position LIMIT ?3 OFFSET ?4
        """, record.rawValue, place.position, max(0, limit), place.rest
      ) { row throws(StoreError) in try row.resource() }
    }
  }

  package func resources(
    ofRemoved record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource] {
    try connection.rows(
      """
      \(selectResource)
      WHERE resource.record = ?1 AND \(Condition.isBehind("?2"))
        AND EXISTS (SELECT 1 FROM record WHERE record.id = ?1 AND record.removed = 1)
      ORDER BY resource.position LIMIT ?3
      """, record.rawValue, after?.rawValue, max(0, limit)
    ) { row throws(StoreError) in try row.resource() }
  }

  package func firstPageSizes(
    of record: RecordID, offset: Int, limit: Int
  ) throws(StoreError) -> [ResourceID: PageSize] {
    try connection.transaction(.reading) { () throws(StoreError) in
      guard let place = try place(offset, in: record) else { return [:] }
      var sizes: [ResourceID: PageSize] = [:]
      sizes.reserveCapacity(min(max(0, limit), 4_096))
      // A LEFT JOIN, because `limit` counts resources without a page, too.
      _ = try connection.rows(
        """
        SELECT resource.id, page.width, page.height
        FROM resource LEFT JOIN page ON page.resource = resource.id AND page.number = 1
        WHERE resource.record = ?1 AND resource.position >= ?2
        ORDER BY resource.position LIMIT ?3 OFFSET ?4
        """, record.rawValue, place.position, max(0, limit), place.rest
      ) { row throws(StoreError) in
        let id = ResourceID(row.integer())
        if let width = row.optionalInteger() {
          sizes[id] = PageSize(width: Int(width), height: Int(row.integer()))
        }
      }
      return sizes
    }
  }

  package func resourceIDs(
    of record: RecordID, _ selection: ResourceSelection
  ) throws(StoreError) -> [ResourceID] {
    try connection.transaction(.reading) { () throws(StoreError) in
      guard let counts = try self.record(record)?.counts else { return [] }
      let statement = selection.statement(isSparse: selection.isSparse(in: counts))
      return try connection.rows(statement, record.rawValue) { row throws(StoreError) in
        ResourceID(row.integer())
      }
    }
  }

  package func resources(_ ids: [ResourceID]) throws(StoreError) -> [Resource] {
    try connection.transaction(.reading) { () throws(StoreError) in
      var found: [Resource] = []
      found.reserveCapacity(ids.count)
      for id in ids { if let resource = try resource(id) { found.append(resource) } }
      return found
    }
  }

  package func firstPages(of ids: [ResourceID]) throws(StoreError) -> [ResourceID: Page] {
    try connection.transaction(.reading) { () throws(StoreError) in
      var pages: [ResourceID: Page] = [:]
      pages.reserveCapacity(ids.count)
      for id in ids {
        pages[id] = try connection.first(
          """
          SELECT \(Row.pageColumns)
          FROM page JOIN resource ON resource.id = page.resource
          WHERE page.resource = ?1 AND page.number = 1 AND \(Condition.isVisible)
          """, id.rawValue
        ) { row throws(StoreError) in try row.page() }
      }
      return pages
    }
  }

  /// Returns the range of positions of a record, or nil if the record is missing. An empty record has the
  /// range 1 to 0. The subqueries read only an index.
  func span(of record: RecordID) throws(StoreError) -> RecordSpan? {
    try connection.first(
      """
      SELECT coalesce((SELECT min(position) FROM resource WHERE resource.record = record.id), 1),
        coalesce((SELECT max(position) FROM resource WHERE resource.record = record.id), 0),
        queued + stored + fetched + finished + failed, numbered
      FROM record WHERE id = ?1
      """, record.rawValue
    ) { row throws(StoreError) in
      RecordSpan(
        first: row.integer(), last: row.integer(), count: row.integer(), numbered: row.integer())
    }
  }

  /// Returns where to find the row at `offset` in a record's order: it is `rest` rows after the first row
  /// whose position is at least `position`.
  private func place(
    _ offset: Int, in record: RecordID
  ) throws(StoreError) -> (position: Int64, rest: Int64)? {
    guard try self.record(record) != nil, let span = try span(of: record) else { return nil }
    // In a record without gaps, the offset determines the position, which the index finds directly.
    let offset = Int64(max(0, offset))
    guard offset < span.count else { return nil }
    return span.hasGaps ? (span.first, offset) : (span.first &+ offset, 0)
  }

  package func lastResource() throws(StoreError) -> ResourceID {
    ResourceID(try connection.integer("SELECT last FROM sequence WHERE name = 'resource'"))
  }

  package func pages(of id: ResourceID) throws(StoreError) -> [Page] {
    try connection.rows(
      """
      SELECT \(Row.pageColumns)
      FROM page JOIN resource ON resource.id = page.resource
      WHERE page.resource = ?1 AND \(Condition.isVisible) ORDER BY page.number
      """, id.rawValue
    ) { row throws(StoreError) in try row.page() }
  }
}

extension ResourceSelection {
  /// Whether only a few of a record's resources are selected, which the index `resource_queue` contains. To read and
  /// sort them takes less time than to read the rows of all resources.
  fileprivate func isSparse(in counts: ResourceCounts) -> Bool {
    guard let states, states.isDisjoint(with: [.stored, .finished]) else { return false }
    return states.reduce(0) { $0 + counts[$1] } < counts.total / 8
  }

  /// Returns the statement that selects the ids of a record's resources; its parameter is the record's id. It reads
  /// only an index if it includes all resources in the record's own order.
  /// - Parameter isSparse: Whether the resources are found through the index of those that are not finished.
  fileprivate func statement(isSparse: Bool) -> String {
    let needsFile = order != .position
    var text = "SELECT resource.id FROM resource\(isSparse ? " INDEXED BY resource_queue" : "")"
    if needsFile { text += " LEFT JOIN file ON file.resource = resource.id" }
    text += " WHERE resource.record = ?1"
    if let states, isSparse {
      let numbers = states.map { String($0.number) }.sorted().joined(separator: ", ")
      let finished = ResourceState.finished.number
      text +=
        " AND resource.state <> \(finished) AND resource.state IN (\(numbers)) AND NOT \(Row.isStored)"
    } else if let states, states.count < ResourceState.allCases.count {
      let conditions = ResourceState.allCases.filter(states.contains).map { state in
        state == .stored
          ? Row.isStored : "(resource.state = \(state.number) AND NOT \(Row.isStored))"
      }
      text += " AND (\(conditions.isEmpty ? "0" : conditions.joined(separator: " OR ")))"
    }
    let direction = isDescending ? "DESC" : "ASC"
    guard let key else { return text + " ORDER BY resource.position \(direction)" }
    return text + " ORDER BY \(key) IS NULL, \(key) \(direction), resource.position"
  }

  /// The SQL expression for the value by which the resources are sorted, computed as in `TransferTimings`;
  /// nil for the record's own order.
  private var key: String? {
    let duration = "(file.last_byte_ms - coalesce(file.queue_ms, 0))"
    return switch order {
    case .position: nil
    case .size: "file.bytes"
    case .duration: duration
    case .rate:
      "iif(\(duration) > 0, coalesce(file.received_bytes, file.bytes) / \(duration), NULL)"
    case .wait:
      "max(0, file.first_byte_ms - "
        + "coalesce(file.request_ms, file.tls_ms, file.connect_ms, file.queue_ms, 0))"
    case .transfer: "max(0, file.last_byte_ms - file.first_byte_ms)"
    }
  }
}

/// The range of positions of a record's resources, and the number of resources in the record.
struct RecordSpan {
  let first: Int64
  let last: Int64
  let count: Int64
  let numbered: Int64

  /// Whether a resource within the range was removed.
  var hasGaps: Bool { last &- first &+ 1 != count }
}
