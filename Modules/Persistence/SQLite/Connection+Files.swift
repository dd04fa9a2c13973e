import Models
import Persistence

/// Partial files by request, and files that answer requests or have a content.
extension Connection {
  func partial(of request: RequestKey) throws(StoreError) -> PartialDownload? {
    try first(
      """
      SELECT entity_tag, last_modified, total_bytes, boot_id, synced_bytes
      FROM partial WHERE request = ?1
      """, request
    ) { row throws(StoreError) in row.partial() }
  }

  func partials() throws(StoreError) -> [RequestKey] {
    try rows("SELECT request FROM partial ORDER BY request") { row throws(StoreError) in
      guard let request = try row.request() else { throw row.damaged("a partial has no request") }
      return request
    }
  }

  func put(_ partial: PartialDownload, of request: RequestKey) throws(StoreError) {
    try run(
      "INSERT OR REPLACE INTO partial VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      request, partial.validator.entityTag?.fieldValue, partial.validator.lastModified,
      partial.totalBytes, partial.bootID, partial.syncedBytes)
  }

  func forgetPartial(of request: RequestKey) throws(StoreError) {
    try run("DELETE FROM partial WHERE request = ?1", request)
  }

  private static let files = Insertion(
    into: "file",
    of: [
      "resource", "name", "bytes", "digest", "format", "entity_tag", "last_modified", "media_type",
      "queue_ms", "dns_ms", "connect_ms", "tls_ms", "request_ms", "first_byte_ms", "last_byte_ms",
      "request", "as_of", "fresh_until", "digest_key", "request_key",
    ])

  /// For resources that have none: `OR REPLACE` would not ask, but make SQLite keep what would undo
  /// the statement, a copy of each page that it writes to.
  func insert(_ files: [(owner: ResourceID, file: StoredFile)]) throws(StoreError) {
    try insert(files.count, by: Self.files) { index, row throws(StoreError) in
      let (owner, file) = files[index]
      try row.bind(owner.rawValue)
      try row.bind(file.name)
      try row.bind(file.byteCount)
      try row.bind(file.digest)
      try row.bind(file.format.rawValue)
      try row.bind(file.validator.entityTag?.fieldValue)
      try row.bind(file.validator.lastModified)
      try row.bind(file.mediaType)
      try row.bind(file.timings.queue)
      try row.bind(file.timings.dns)
      try row.bind(file.timings.connect)
      try row.bind(file.timings.tls)
      try row.bind(file.timings.request)
      try row.bind(file.timings.firstByte)
      try row.bind(file.timings.lastByte)
      try row.bind(file.answer?.request)
      try row.bind(file.answer?.asOf.rawValue)
      try row.bind(file.answer?.freshUntil)
      try row.bind(file.digest.key)
      try row.bind(file.answer?.request.key)
    }
  }

  func removeFile(of id: ResourceID) throws(StoreError) {
    try run("DELETE FROM file WHERE resource = ?1", id.rawValue)
  }

  func confirm(_ answer: StoredFile.Answer, of id: ResourceID) throws(StoreError) {
    try run(
      """
      UPDATE file SET request = ?2, as_of = ?3, fresh_until = ?4, request_key = ?5
      WHERE resource = ?1
      """, id.rawValue, answer.request, answer.asOf.rawValue, answer.freshUntil, answer.request.key)
  }

  /// Files that are in place: only what is `stored` may not have its final name yet.
  private static let selectHeldFile = """
    SELECT resource.id, resource.record, record.folder, \(Row.fileColumns)
    FROM file JOIN resource ON resource.id = file.resource
      JOIN record ON record.id = resource.record
    WHERE NOT \(Row.isStored) AND \(isInPlace)
    """

  private static let requestKeys = Membership(of: "request_key", in: "file")
  private static let digestKeys = Membership(of: "digest_key", in: "file")

  func answers(to requests: [RequestKey]) throws(StoreError) -> [RequestKey: HeldFile] {
    // Mostly there is none, and the index knows.
    let known = try members(among: requests.map(\.key), by: Self.requestKeys)
    if known.isEmpty { return [:] }
    let newest = try prepared(
      """
      \(Self.selectHeldFile) AND file.request_key = ?1 AND file.request = ?2
      ORDER BY file.as_of DESC, file.resource DESC LIMIT 1
      """)
    var answers: [RequestKey: HeldFile] = [:]
    for request in requests where known.contains(request.key) && answers[request] == nil {
      answers[request] = try newest.first(request.key, request) { row throws(StoreError) in
        try row.heldFile()
      }
    }
    return answers
  }

  func holders(of digests: [Digest], limit: Int) throws(StoreError) -> [Digest: [HeldFile]] {
    guard limit > 0 else { return [:] }
    let known = try members(among: digests.map(\.key), by: Self.digestKeys)
    if known.isEmpty { return [:] }
    let newest = try prepared(
      """
      \(Self.selectHeldFile) AND file.digest_key = ?1 AND file.digest = ?2
      ORDER BY file.resource DESC LIMIT ?3
      """)
    var holders: [Digest: [HeldFile]] = [:]
    for digest in digests where known.contains(digest.key) && holders[digest] == nil {
      let found = try newest.rows(digest.key, digest, limit) { row throws(StoreError) in
        try row.heldFile()
      }
      if !found.isEmpty { holders[digest] = found }
    }
    return holders
  }
}
