import Models
import Persistence

/// The rows of partial files and of files. Each change is part of the transaction that the caller has opened.
struct FileTable {
  let connection: Connection

  private static let files = Insertion(
    into: "file",
    of: [
      "resource", "name", "bytes", "digest", "format", "entity_tag", "last_modified", "media_type",
      "queue_ms", "dns_ms", "connect_ms", "tls_ms", "request_ms", "first_byte_ms", "last_byte_ms",
      "request", "as_of", "fresh_until", "digest_key", "request_key", "received_bytes",
    ])

  func insert(_ partial: PartialDownload, of request: RequestKey) throws(StoreError) {
    try connection.run(
      "INSERT OR REPLACE INTO partial VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
      request, partial.validator.entityTag?.fieldValue, partial.validator.lastModified,
      partial.totalBytes, partial.bootID, partial.syncedBytes, partial.url,
      partial.hasGaps)
  }

  func forgetPartial(of request: RequestKey) throws(StoreError) {
    try connection.run("DELETE FROM partial WHERE request = ?1", request)
  }

  /// Inserts the rows of files, for resources without a file row. `OR REPLACE` would allow existing rows, but
  /// SQLite would then keep a statement journal, a copy of each page that it writes to.
  func insert(_ files: [(owner: ResourceID, file: StoredFile)]) throws(StoreError) {
    try connection.insert(files.count, by: Self.files) { index, row throws(StoreError) in
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
      try row.bind(file.timings.receivedBytes)
    }
  }

  func removeFile(of id: ResourceID) throws(StoreError) {
    try connection.run("DELETE FROM file WHERE resource = ?1", id.rawValue)
  }

  func setAnswer(_ answer: StoredFile.Answer?, of id: ResourceID) throws(StoreError) {
    try connection.run(
      """
      UPDATE file SET request = ?2, as_of = ?3, fresh_until = ?4, request_key = ?5
      WHERE resource = ?1
      """, id.rawValue, answer?.request, answer?.asOf.rawValue, answer?.freshUntil,
      answer?.request.key)
  }
}
