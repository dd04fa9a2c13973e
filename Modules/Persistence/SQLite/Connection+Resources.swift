package import Models
package import Persistence

extension Connection: ResourceRows {
  private static let selectResource = """
    SELECT \(Row.resourceColumns)
    FROM resource LEFT JOIN file ON file.resource = resource.id
    """

  /// An SQL condition: queries see the record of the resource.
  private static let isVisible = """
    EXISTS (SELECT 1 FROM record WHERE record.id = resource.record AND \(isInPlace))
    """

  package func resource(_ id: ResourceID) throws(StoreError) -> Resource? {
    try first(
      "\(Self.selectResource) WHERE resource.id = ?1 AND \(Self.isVisible)", id.rawValue
    ) { row throws(StoreError) in try row.resource() }
  }

  package func resources(
    of record: RecordID, offset: Int, limit: Int
  ) throws(StoreError) -> [Resource] {
    try transaction(.reading) { () throws(StoreError) in
      guard let place = try place(offset, in: record) else { return [] }
      return try rows(
        """
        \(Self.selectResource) WHERE resource.record = ?1 AND resource.position >= ?2
        ORDER BY resource.position LIMIT ?3 OFFSET ?4
        """, record.rawValue, place.position, max(0, limit), place.rest
      ) { row throws(StoreError) in try row.resource() }
    }
  }

  package func resources(
    ofRemoved record: RecordID, after: ResourceID?, limit: Int
  ) throws(StoreError) -> [Resource] {
    try rows(
      """
      \(Self.selectResource)
      WHERE resource.record = ?1 AND \(Self.isBehind("?2"))
        AND EXISTS (SELECT 1 FROM record WHERE record.id = ?1 AND record.removed = 1)
      ORDER BY resource.position LIMIT ?3
      """, record.rawValue, after?.rawValue, max(0, limit)
    ) { row throws(StoreError) in try row.resource() }
  }

  /// Returns an SQL condition: the resource comes after another one of its record.
  /// - Parameter other: An SQL expression for the id of the other resource; NULL means the start of the
  ///   record.
  static func isBehind(_ other: String) -> String {
    """
    resource.position > coalesce(
      (SELECT other.position FROM resource AS other WHERE other.id = \(other)), \(Int64.min))
    """
  }

  package func firstPageSizes(
    of record: RecordID, offset: Int, limit: Int
  ) throws(StoreError) -> [ResourceID: PageSize] {
    try transaction(.reading) { () throws(StoreError) in
      guard let place = try place(offset, in: record) else { return [:] }
      var sizes: [ResourceID: PageSize] = [:]
      sizes.reserveCapacity(min(max(0, limit), 4_096))
      // LEFT JOIN, because the limit counts resources without a page too.
      _ = try rows(
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

  /// The range of a record's positions, and the number of its resources.
  struct Span {
    let first: Int64
    let last: Int64
    let count: Int64
    let numbered: Int64

    /// Whether a resource within the range was removed.
    var hasGaps: Bool { last &- first &+ 1 != count }
  }

  /// Returns the span of a record, or nil for a missing one. An empty record has the span 1 to 0. The
  /// subqueries read only an index.
  func span(of record: RecordID) throws(StoreError) -> Span? {
    try first(
      """
      SELECT coalesce((SELECT min(position) FROM resource WHERE resource.record = record.id), 1),
        coalesce((SELECT max(position) FROM resource WHERE resource.record = record.id), 0),
        queued + stored + fetched + finished + failed, numbered
      FROM record WHERE id = ?1
      """, record.rawValue
    ) { row throws(StoreError) in
      Span(
        first: row.integer(), last: row.integer(), count: row.integer(), numbered: row.integer())
    }
  }

  /// Returns the place of the row at `offset` in a record's order: `rest` rows after the first row at or
  /// behind `position`.
  private func place(
    _ offset: Int, in record: RecordID
  ) throws(StoreError) -> (position: Int64, rest: Int64)? {
    guard try self.record(record) != nil, let span = try span(of: record) else { return nil }
    // Without gaps the offset determines the position, which the index finds directly.
    let offset = Int64(max(0, offset))
    guard offset < span.count else { return nil }
    return span.hasGaps ? (span.first, offset) : (span.first &+ offset, 0)
  }

  package func failedCount(of record: RecordID, reason: String) throws(StoreError) -> Int {
    try first(
      """
      SELECT count(*) FROM resource INDEXED BY resource_queue
      WHERE record = ?1 AND \(Self.isInQueue(.failed)) AND reason = ?2
      """, record.rawValue, reason
    ) { row throws(StoreError) in Int(row.integer()) } ?? 0
  }

  func resources(
    of record: RecordID, in state: ResourceState, after: Int64, limit: Int
  ) throws(StoreError) -> [Resource] {
    let selected =
      switch state {
      case .stored: "stored CROSS JOIN resource ON resource.id = stored.resource"
      // No index covers finished resources.
      case .finished: "resource NOT INDEXED"
      case .queued, .fetched, .failed: "resource INDEXED BY resource_queue"
      }
    let isMeant =
      switch state {
      case .stored: "1"
      case .finished: "resource.state = \(state.number) AND NOT \(Row.isStored)"
      case .queued, .fetched, .failed: Self.isInQueue(state)
      }
    return try rows(
      """
      SELECT \(Row.columns(state: "\(state.number)"))
      FROM \(selected) LEFT JOIN file ON file.resource = resource.id
      WHERE resource.record = ?1 AND \(isMeant) AND resource.id > ?2
      ORDER BY resource.id LIMIT ?3
      """, record.rawValue, after, limit
    ) { row throws(StoreError) in try row.resource() }
  }

  package func lastResource() throws(StoreError) -> ResourceID {
    ResourceID(try integer("SELECT last FROM sequence WHERE name = 'resource'"))
  }

  package func pages(of id: ResourceID) throws(StoreError) -> [Page] {
    try rows(
      """
      SELECT page.number, width, height, label, file, thumbnail, page.reason
      FROM page JOIN resource ON resource.id = page.resource
      WHERE page.resource = ?1 AND \(Self.isVisible) ORDER BY page.number
      """, id.rawValue
    ) { row throws(StoreError) in row.page() }
  }
}
