import Models
import Persistence

extension ResourceState {
  /// The number that represents the state in the database; it must never change.
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
    switch number {
    case 0: self = .queued
    case 1: self = .stored
    case 2: self = .fetched
    case 3: self = .finished
    case 4: self = .failed
    default: return nil
    }
  }
}

extension Row {
  static let sourceColumns = """
    id, key, location, format, lazy, options, entity_tag, last_modified, next_page, public, series,
      layout, content_format, cut, cookies
    """

  mutating func source() -> SourceRow {
    SourceRow(
      id: SourceID(integer()),
      draft: SourceDraft(
        key: text(), location: text(), format: optionalText(), isLazy: integer() != 0,
        options: optionalText()),
      state: SourceState(
        validator: validator(), nextPage: optionalText(), isPublic: integer() != 0,
        isSeries: integer() != 0, layout: optionalText(), format: optionalText(),
        isCut: integer() != 0, setsCookies: integer() != 0))
  }

  static let countColumns = "queued, stored, fetched, finished, failed, bytes, named"
  static let recordColumns = """
    id, source, title, folder, paused, lazy,
    lazy AND EXISTS (
      SELECT 1 FROM source AS origin WHERE origin.id = record.source
        AND substr(origin.key, 1, \(Record.clientSourcePrefix.count)) = '\(Record.clientSourcePrefix)'),
    priority, \(countColumns)
    """

  mutating func record() throws(StoreError) -> Record {
    let id = integer()
    return Record(
      id: RecordID(id), source: SourceID(integer()), title: text(), folder: text(),
      isPaused: integer() != 0, isLazy: integer() != 0,
      isQueuedByClient: integer() != 0, priority: try priority(of: id),
      counts: counts())
  }

  private mutating func priority(of id: Int64) throws(StoreError) -> RecordPriority {
    let number = integer()
    guard let priority = RecordPriority(rawValue: Int(number)) else {
      throw damaged("record \(id) has the priority \(number)")
    }
    return priority
  }

  mutating func counts() -> ResourceCounts {
    var counts = ResourceCounts()
    counts.queued = Int(integer())
    counts.stored = Int(integer())
    counts.fetched = Int(integer())
    counts.finished = Int(integer())
    counts.failed = Int(integer())
    counts.bytes = integer()
    counts.named = Int(integer())
    return counts
  }

  private static let fileColumnCount: Int32 = 18
  static let fileColumns = """
    file.name, file.bytes, file.digest, file.format, file.entity_tag, file.last_modified,
    file.media_type, file.queue_ms, file.dns_ms, file.connect_ms, file.tls_ms, file.request_ms,
    file.first_byte_ms, file.last_byte_ms, file.request, file.as_of, file.fresh_until,
    file.received_bytes
    """

  /// The SQL condition that the resource is `stored`: its file may not have its final name yet. Overrides the
  /// column `state`.
  static let isStored = "(resource.id IN (SELECT resource FROM stored))"

  /// The SQL expression for the effective state of a resource: `stored`, or the column `state`.
  static let state = "iif(\(isStored), \(ResourceState.stored.number), resource.state)"

  /// The columns that `resource()` reads, from `resource LEFT JOIN file`.
  static let resourceColumns = columns(state: state)

  /// Returns the columns that `resource()` reads.
  /// - Parameter state: An SQL expression for the state, or its number if the query determines it.
  static func columns(state: String) -> String {
    """
    resource.id, resource.record, coalesce(resource.number, resource.position), resource.url,
    resource.title, resource.expected_digest, resource.fields, \(state), resource.reason,
    resource.attempts, \(fileColumns), resource.page_count, resource.reload, resource.mirrors,
    resource.expected_bytes, resource.named
    """
  }

  mutating func resource() throws(StoreError) -> Resource {
    let id = integer()
    var resource = Resource(
      id: ResourceID(id), record: RecordID(integer()), index: Int(integer()), url: text(),
      title: optionalText(), expectedChecksum: try checksum(),
      fields: FieldsText.decode(optionalText()), state: try state(of: id), reason: optionalText(),
      attempts: Int(integer()), file: try file(), pageCount: Int(integer()),
      mustReload: integer() != 0)
    resource.mirrors = MirrorsText.decode(optionalText())
    resource.expectedByteCount = optionalInteger()
    resource.isNamed = integer() != 0
    return resource
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
    var file = StoredFile(
      name: name, byteCount: byteCount, digest: digest,
      format: ResourceFormat(rawValue: text()) ?? .unknown, validator: validator(),
      mediaType: optionalText(), timings: timings(), answer: try answer())
    file.timings.receivedBytes = optionalInteger()
    return file
  }

  private mutating func answer() throws(StoreError) -> StoredFile.Answer? {
    guard let request = try request() else {
      skip(2)
      return nil
    }
    return StoredFile.Answer(
      request: request, asOf: ResourceID(integer()), freshUntil: optionalInteger())
  }

  mutating func existingFile() throws(StoreError) -> ExistingFile {
    let (resource, record, folder) = (integer(), integer(), text())
    guard let file = try file() else { throw damaged("resource \(resource) has no file") }
    return ExistingFile(
      resource: ResourceID(resource), record: RecordID(record), folder: folder, file: file)
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
      syncedBytes: integer(), hasGaps: integer() != 0, url: optionalText())
  }

  /// The columns that `page()` reads.
  static let pageColumns =
    "page.number, width, height, label, file, thumbnail, thumb_hash, page.reason, page.remark"

  mutating func page() throws(StoreError) -> Page {
    Page(
      number: Int(integer()), width: Int(integer()), height: Int(integer()),
      label: optionalText(), file: optionalText(), thumbnail: optionalText(),
      thumbHash: try thumbHash(), reason: optionalText(), remark: optionalText())
  }

  private mutating func thumbHash() throws(StoreError) -> ThumbHash? {
    guard let bytes = optionalBytes() else { return nil }
    guard let hash = ThumbHash(bytes) else {
      throw damaged("a page has a ThumbHash of \(bytes.count) bytes")
    }
    return hash
  }
}
