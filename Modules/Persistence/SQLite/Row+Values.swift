import Models
import Persistence

extension ResourceState {
  /// The number that stands for the state in the database; never changed.
  var number: Int {
    switch self {
    case .queued: 0
    case .stored: 1
    case .fetched: 2
    case .finished: 3
    case .failed: 4
    }
  }

  init?(number: Int64) {
    guard let state = Self.allCases.first(where: { Int64($0.number) == number }) else { return nil }
    self = state
  }
}

extension Row {
  static let sourceColumns = "id, key, location"

  mutating func source() -> SourceRow {
    SourceRow(id: SourceID(integer()), key: text(), location: text())
  }

  static let countColumns = "queued, stored, fetched, finished, failed, bytes"
  static let recordColumns = "id, source, title, folder, paused, \(countColumns)"

  mutating func record() -> Record {
    Record(
      id: RecordID(integer()), source: SourceID(integer()), title: text(), folder: text(),
      isPaused: integer() != 0, counts: counts())
  }

  mutating func counts() -> ResourceCounts {
    var counts = ResourceCounts()
    counts.queued = Int(integer())
    counts.stored = Int(integer())
    counts.fetched = Int(integer())
    counts.finished = Int(integer())
    counts.failed = Int(integer())
    counts.bytes = integer()
    return counts
  }

  private static let fileColumnCount: Int32 = 14

  /// Of `resource LEFT JOIN file`.
  static let resourceColumns = """
    resource.id, resource.record, resource.position, resource.url, resource.title,
    resource.expected_digest, resource.fields, resource.state, resource.reason, resource.attempts,
    file.name, file.bytes, file.digest, file.format, file.entity_tag, file.last_modified,
    file.media_type, file.queue_ms, file.dns_ms, file.connect_ms, file.tls_ms, file.request_ms,
    file.first_byte_ms, file.last_byte_ms, resource.page_count
    """

  mutating func resource() throws(StoreError) -> Resource {
    let id = integer()
    return Resource(
      id: ResourceID(id), record: RecordID(integer()), index: Int(integer()), url: text(),
      title: optionalText(), expectedDigest: try digest(),
      fields: FieldsText.decode(optionalText()), state: try state(of: id), reason: optionalText(),
      attempts: Int(integer()), file: try file(), pageCount: Int(integer()))
  }

  mutating func state(of id: Int64) throws(StoreError) -> ResourceState {
    let number = integer()
    guard let state = ResourceState(number: number) else {
      throw damaged("resource \(id) has the state \(number)")
    }
    return state
  }

  private mutating func file() throws(StoreError) -> StoredFile? {
    guard let name = optionalText() else {
      skip(Self.fileColumnCount - 1)
      return nil
    }
    let byteCount = integer()
    guard let digest = try digest() else { throw damaged("a stored file has no digest") }
    return StoredFile(
      name: name, byteCount: byteCount, digest: digest,
      format: ResourceFormat(rawValue: text()) ?? .unknown, validator: validator(),
      mediaType: optionalText(), timings: timings())
  }

  private mutating func validator() -> Validator {
    Validator(
      entityTag: optionalText().flatMap { EntityTag($0) }, lastModified: optionalText())
  }

  private mutating func timings() -> TransferTimings {
    var timings = TransferTimings()
    timings.queue = real()
    timings.dns = real()
    timings.connect = real()
    timings.tls = real()
    timings.request = real()
    timings.firstByte = real()
    timings.lastByte = real()
    return timings
  }

  mutating func partial() -> PartialDownload {
    PartialDownload(
      validator: validator(), totalBytes: optionalInteger(), bootID: text(),
      syncedBytes: integer())
  }

  mutating func page() -> Page {
    Page(
      number: Int(integer()), width: Int(integer()), height: Int(integer()),
      label: optionalText(), file: optionalText(), thumbnail: optionalText(),
      reason: optionalText())
  }
}
