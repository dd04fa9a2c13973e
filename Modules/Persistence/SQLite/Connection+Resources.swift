import Models
import Persistence

extension Connection {
  func appendResources(
    _ drafts: [ResourceDraft], to record: RecordID
  ) throws(StoreError) {
    let last = try first(
      """
      SELECT (SELECT max(position) FROM resource WHERE resource.record = record.id)
      FROM record WHERE id = ?1
      """, record.rawValue
    ) { row throws(StoreError) in row.integer() }
    guard let last else { throw notFound("record", record.rawValue) }
    guard !drafts.isEmpty else { return }
    let firstID = try newIDs("resource", count: drafts.count)
    let insert = try prepared(
      """
      INSERT INTO resource (id, record, position, url, title, expected_digest, fields)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """)
    for (offset, draft) in drafts.enumerated() {
      let offset = Int64(offset)
      try insert.run(
        firstID + offset, record.rawValue, last + 1 + offset, draft.url, draft.title,
        draft.expectedDigest, FieldsText.encode(draft.fields))
    }
    try run(
      """
      UPDATE record SET queued = queued + ?2,
        first_resource = coalesce(first_resource, ?3), last_resource = ?3 + ?2 - 1
      WHERE id = ?1
      """, record.rawValue, drafts.count, firstID)
  }

  private static let selectResource = """
    SELECT \(Row.resourceColumns)
    FROM resource LEFT JOIN file ON file.resource = resource.id
    """

  /// True of a resource whose record can be seen.
  private static let isVisible = """
    EXISTS (SELECT 1 FROM record
      WHERE record.id = resource.record AND record.position IS NOT NULL)
    """

  func resource(_ id: ResourceID) throws(StoreError) -> Resource? {
    try first(
      "\(Self.selectResource) WHERE resource.id = ?1 AND \(Self.isVisible)", id.rawValue
    ) { row throws(StoreError) in try row.resource() }
  }

  func resources(
    of record: RecordID, offset: Int, limit: Int
  ) throws(StoreError) -> [Resource] {
    guard try self.record(record) != nil else { return [] }
    // Positions have no gaps, so an offset is a position: the index finds it at once.
    return try rows(
      """
      \(Self.selectResource) WHERE resource.record = ?1 AND resource.position > ?2
      ORDER BY resource.position LIMIT ?3
      """, record.rawValue, max(0, offset), max(0, limit)
    ) { row throws(StoreError) in try row.resource() }
  }

  func resources(
    of record: RecordID, in state: ResourceState, after: Int64, limit: Int
  ) throws(StoreError) -> [Resource] {
    try rows(
      """
      SELECT \(Row.resourceColumns)
      FROM resource INDEXED BY resource_queue LEFT JOIN file ON file.resource = resource.id
      WHERE resource.record = ?1 AND resource.state = ?2 AND resource.id > ?3
      ORDER BY resource.id LIMIT ?4
      """, record.rawValue, state.number, after, limit
    ) { row throws(StoreError) in try row.resource() }
  }

  func partial(of id: ResourceID) throws(StoreError) -> PartialDownload? {
    try first(
      """
      SELECT entity_tag, last_modified, total_bytes, boot_id, synced_bytes
      FROM partial JOIN resource ON resource.id = partial.resource
      WHERE partial.resource = ?1 AND \(Self.isVisible)
      """, id.rawValue
    ) { row throws(StoreError) in row.partial() }
  }

  func partials() throws(StoreError) -> [ResourceID] {
    try rows(
      """
      SELECT resource.id FROM partial JOIN resource ON resource.id = partial.resource
      WHERE \(Self.isVisible) ORDER BY resource.id
      """
    ) { row throws(StoreError) in ResourceID(row.integer()) }
  }

  func pages(of id: ResourceID) throws(StoreError) -> [Page] {
    try rows(
      """
      SELECT number, width, height, label, file, thumbnail, page.reason
      FROM page JOIN resource ON resource.id = page.resource
      WHERE page.resource = ?1 AND \(Self.isVisible) ORDER BY number
      """, id.rawValue
    ) { row throws(StoreError) in row.page() }
  }
}
