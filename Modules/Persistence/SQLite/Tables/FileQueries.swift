package import Models
package import Persistence

/// Selects files at their final path: all but those of `stored` resources, which may still have another name.
private let selectExistingFile = """
  SELECT resource.id, resource.record, record.folder, \(Row.fileColumns)
  FROM file JOIN resource ON resource.id = file.resource
    JOIN record ON record.id = resource.record
  WHERE NOT \(Row.isStored) AND \(Condition.isInPlace)
  """

extension MembershipQuery {
  fileprivate static let requestKeys = MembershipQuery(of: "request_key", in: "file")
  fileprivate static let digestKeys = MembershipQuery(of: "digest_key", in: "file")
}

/// Queries partial files by request, and files by digest or by the request that they answer.
package protocol FileQueries: ConnectionOwner {}

extension FileQueries {
  package func partial(of request: RequestKey) throws(StoreError) -> PartialDownload? {
    try connection.first(
      """
      SELECT entity_tag, last_modified, total_bytes, boot_id, synced_bytes, has_gaps, url
      FROM partial WHERE request = ?1
      """, request
    ) { row throws(StoreError) in row.partial() }
  }

  package func partials() throws(StoreError) -> [RequestKey] {
    try connection.rows("SELECT request FROM partial ORDER BY request") { row throws(StoreError) in
      guard let request = try row.request() else { throw row.damaged("a partial has no request") }
      return request
    }
  }

  package func answers(to requests: [RequestKey]) throws(StoreError) -> [RequestKey: ExistingFile] {
    try connection.transaction(.reading) { () throws(StoreError) in
      // Most requests have no file that answers them, and reading the index alone shows this.
      let known = try connection.members(among: requests.map(\.key), by: .requestKeys)
      if known.isEmpty { return [:] }
      let newest = try connection.prepared(
        """
        \(selectExistingFile) AND file.request_key = ?1 AND file.request = ?2
        ORDER BY file.as_of DESC, file.resource DESC LIMIT 1
        """)
      var answers: [RequestKey: ExistingFile] = [:]
      for request in requests where known.contains(request.key) && answers[request] == nil {
        answers[request] = try newest.first(request.key, request) { row throws(StoreError) in
          try row.existingFile()
        }
      }
      return answers
    }
  }

  package func holders(of digests: [Digest], limit: Int) throws(StoreError) -> [Digest:
    [ExistingFile]]
  {
    try connection.transaction(.reading) { () throws(StoreError) in
      guard limit > 0 else { return [:] }
      let known = try connection.members(among: digests.map(\.key), by: .digestKeys)
      if known.isEmpty { return [:] }
      let newest = try connection.prepared(
        """
        \(selectExistingFile) AND file.digest_key = ?1 AND file.digest = ?2
        ORDER BY file.resource DESC LIMIT ?3
        """)
      var holders: [Digest: [ExistingFile]] = [:]
      for digest in digests where known.contains(digest.key) && holders[digest] == nil {
        let found = try newest.rows(digest.key, digest, limit) { row throws(StoreError) in
          try row.existingFile()
        }
        if !found.isEmpty { holders[digest] = found }
      }
      return holders
    }
  }
}
