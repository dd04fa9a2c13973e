import Models
import Persistence

extension Connection {
  private static let resources = Insertion(
    into: "resource",
    of: [
      "id", "record", "position", "number", "url", "title", "expected_digest", "fields",
    ])

  func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID, at place: ListPlace
  ) throws(StoreError) -> ResourceIDRange {
    guard let span = try span(of: record) else { throw notFound("record", record.rawValue) }
    let count = Int64(drafts.count)
    let firstID = try newIDs("resource", count: drafts.count)
    let range = ResourceIDRange(first: ResourceID(firstID), last: ResourceID(firstID &+ count &- 1))
    guard count > 0 else { return range }
    let position =
      switch place {
      case .end: span.last &+ 1
      case .top: span.first &- count
      }
    let number = span.numbered &+ 1
    try insert(drafts.count, by: Self.resources) { offset, insert, last throws(StoreError) in
      let draft = drafts[offset]
      let offset = Int64(offset)
      try insert.bind(firstID &+ offset, at: &last)
      try insert.bind(record.rawValue, at: &last)
      try insert.bind(position &+ offset, at: &last)
      try insert.bind(number == position ? nil : number &+ offset, at: &last)
      try insert.bind(draft.url, at: &last)
      try insert.bind(draft.title, at: &last)
      try insert.bind(draft.expectedDigest, at: &last)
      try insert.bind(FieldsText.encode(draft.fields), at: &last)
    }
    try run(
      """
      UPDATE record SET queued = queued + ?2, numbered = numbered + ?2,
        first_resource = coalesce(first_resource, ?3), last_resource = ?3 + ?2 - 1
      WHERE id = ?1
      """, record.rawValue, count, firstID)
    return range
  }

  /// The order of a record: its first and last position, and how many there should be between.
  struct Span {
    let first: Int64
    let last: Int64
    let count: Int64
    let numbered: Int64

    /// A resource between was removed.
    var hasGaps: Bool { last &- first &+ 1 != count }
  }

  /// nil for a record that is not there; 1 to 0 for an empty one. The indexes know.
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
}
