package import Models
package import Persistence

extension Insertion {
  private static let plainColumns = ["id", "record", "position", "url"]
  /// The statement for resources that have only a URL, as in most lists; it binds only half of the columns.
  fileprivate static let plainResources = Insertion(into: "resource", of: plainColumns)
  fileprivate static let resources = Insertion(
    into: "resource",
    of: plainColumns + [
      "number", "title", "expected_digest", "fields", "mirrors", "expected_bytes",
    ])
}

/// The insertion of new resources into a record.
package protocol ResourceInsertion: TableChanges {}

extension ResourceInsertion {
  package func insertResources(
    _ drafts: [ResourceDraft], into record: RecordID, at place: InsertPosition
  ) throws(StoreError) -> ResourceIDRange {
    try transaction { () throws(StoreError) in
      guard let span = try span(of: record) else { throw notFound("record", record.rawValue) }
      let count = Int64(drafts.count)
      let firstID = try newIDs("resource", count: drafts.count)
      let lastID = firstID &+ count &- 1
      let range = ResourceIDRange(first: ResourceID(firstID), last: ResourceID(lastID))
      guard count > 0 else { return range }
      let position =
        switch place {
        case .end: span.last &+ 1
        case .top: span.first &- count
        }
      let number = span.numbered &+ 1
      let isPlain = number == position && drafts.allSatisfy(\.isPlain)
      try connection.insert(drafts.count, by: isPlain ? .plainResources : .resources) {
        index, row throws(StoreError) in
        let offset = Int64(index)
        try row.bind(firstID &+ offset)
        try row.bind(record.rawValue)
        try row.bind(position &+ offset)
        try row.bind(drafts[index].url)
        if isPlain { return }
        try row.bind(number == position ? nil : number &+ offset)
        try row.bind(drafts[index].title)
        try row.bind(drafts[index].expectedChecksum)
        try row.bind(FieldsText.encode(drafts[index].fields))
        try row.bind(MirrorsText.encode(drafts[index].mirrors))
        try row.bind(drafts[index].expectedByteCount)
      }
      try connection.run(
        """
        UPDATE record SET queued = queued + ?2, numbered = numbered + ?2,
          first_resource = coalesce(first_resource, ?3), last_resource = ?3 + ?2 - 1
        WHERE id = ?1
        """, record.rawValue, count, firstID)
      return range
    }
  }
}

extension ResourceDraft {
  fileprivate var isPlain: Bool {
    title == nil && expectedChecksum == nil && fields.isEmpty && mirrors.isEmpty
      && expectedByteCount == nil
  }
}
