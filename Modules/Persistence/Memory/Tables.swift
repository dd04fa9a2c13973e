import Models
import Naming
import Persistence

/// The complete state of a library in memory: its rows, and the counters and indexes derived from them, which
/// code outside this file cannot change separately. A value type, so that a copy made before a transaction
/// restores the state on rollback.
struct Tables {
  struct Source {
    var row: SourceRow
    var isComplete = false
    /// Whether the source is hidden; the source is removed with the last of its records.
    var isDiscarded = false
  }

  struct Entry {
    fileprivate(set) var record: Record
    var isStandalone = false
    fileprivate(set) var isRemoved = false
    /// Whether the files of the removed record stay.
    fileprivate(set) var keepsFiles = false
    /// The position in the list; nil while the source is incomplete, and for standalone and removed records.
    fileprivate(set) var position: Int?
    /// The record's resources, in the record's order.
    fileprivate(set) var resources: [ResourceID] = []
    /// The last index assigned to a resource of the record.
    fileprivate var lastIndex = 0

    /// Whether queries return the record's resources.
    var isInPlace: Bool { position != nil || (isStandalone && !isRemoved) }
  }

  var state = LibraryState()
  private(set) var sources: [SourceID: Source] = [:]
  private(set) var entries: [RecordID: Entry] = [:]
  private(set) var resources: [ResourceID: Resource] = [:]
  var partialDownloads: [RequestKey: PartialDownload] = [:]
  private(set) var pagesOfResources: [ResourceID: [Page]] = [:]
  /// The resources whose file answers the request, even if that file is not at its final path yet.
  /// `resourcesByDigest` has the same resources by the digest of their file.
  private(set) var resourcesByRequest: [RequestKey: Set<ResourceID>] = [:]
  private(set) var resourcesByDigest: [Digest: Set<ResourceID>] = [:]
  var cacheUsage: [CacheName: CacheUsage] = [:]
  private(set) var verbs: [RecordID: RecordVerbProgress] = [:]
  var workOnPages: [ResourceID: PageWork] = [:]
  /// The last ids assigned; ids are never reused.
  private var lastSourceID: Int64 = 0
  private var lastRecordID: Int64 = 0
  private(set) var lastResourceID: Int64 = 0

  /// Returns empty tables that do not reuse the ids of these tables.
  func emptied() -> Tables {
    var empty = Tables()
    empty.lastSourceID = lastSourceID
    empty.lastRecordID = lastRecordID
    empty.lastResourceID = lastResourceID
    return empty
  }

  static func notFound(_ what: String) -> StoreError {
    StoreError(.notFound, "there is no \(what)")
  }
}

// Sources.
extension Tables {
  mutating func insert(_ draft: SourceDraft) -> SourceID {
    lastSourceID += 1
    let id = SourceID(lastSourceID)
    sources[id] = Source(row: SourceRow(id: id, draft: draft))
    return id
  }

  mutating func complete(_ id: SourceID) throws(StoreError) {
    guard try !existingSource(id).isComplete else { return }
    sources[id]?.isComplete = true
    let entries = entries.values.filter { $0.record.source == id && !$0.isRemoved }
    for record in entries.map(\.record.id).sorted() {
      let position = newPosition(at: .end)
      self.entries[record]?.position = position
    }
  }

  mutating func setState(_ state: SourceState, of source: SourceID) throws(StoreError) {
    _ = try existingSource(source)
    sources[source]?.row.state = state
  }

  mutating func setOptions(_ options: String?, of source: SourceID) throws(StoreError) {
    _ = try existingSource(source)
    sources[source]?.row.draft.options = options
  }

  mutating func discard(_ id: SourceID) {
    guard sources[id] != nil else { return }
    let records = entries.values.map(\.record).filter { $0.source == id }
    for record in records { hide(record.id) }
    sources[id]?.isComplete = false
    sources[id]?.isDiscarded = true
    if records.isEmpty { sources[id] = nil }
  }

  /// Returns a source, or throws `.notFound` if it is missing or discarded.
  private func existingSource(_ id: SourceID) throws(StoreError) -> Source {
    guard let source = sources[id], !source.isDiscarded else {
      throw Self.notFound("source \(id)")
    }
    return source
  }
}

// Records.
extension Tables {
  /// The visible records, in list order.
  var list: [Entry] {
    let visible = entries.values.filter { $0.position != nil }
    return visible.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
  }

  var standalone: Record? { entries.values.first { $0.isStandalone && !$0.isRemoved }?.record }

  mutating func append(
    _ draft: RecordDraft, at place: InsertPosition
  ) throws(StoreError) -> RecordID {
    let source = try existingSource(draft.source)
    let id = try newRecord(folder: draft.folder)
    let record = Record(
      id: id, source: draft.source, title: draft.title, folder: draft.folder, isLazy: draft.isLazy,
      isQueuedByClient: draft.isLazy && source.row.draft.key.hasPrefix(Record.clientSourcePrefix))
    entries[id] = Entry(
      record: record, position: source.isComplete ? newPosition(at: place) : nil)
    return id
  }

  mutating func makeStandalone(folder: String) throws(StoreError) -> Record {
    let id = try newRecord(folder: folder)
    let record = Record(id: id, source: SourceID(0), title: folder, folder: folder, isLazy: true)
    entries[id] = Entry(record: record, isStandalone: true)
    return record
  }

  mutating func set(
    _ id: RecordID, paused: Bool? = nil, priority: RecordPriority? = nil
  ) throws(StoreError) {
    guard var record = entries[id]?.record else { throw Self.notFound("record \(id)") }
    record.isPaused = paused ?? record.isPaused
    record.priority = priority ?? record.priority
    entries[id]?.record = record
  }

  /// - Parameter keepsFiles: nil leaves what an earlier call has said.
  mutating func hide(_ record: RecordID, keepingFiles keepsFiles: Bool? = nil) {
    entries[record]?.isRemoved = true
    if let keepsFiles { entries[record]?.keepsFiles = keepsFiles }
    entries[record]?.position = nil
    verbs[record] = nil
  }

  mutating func removeRows(of record: RecordID, limit: Int) -> Bool {
    guard let entry = entries[record], entry.isRemoved else { return true }
    let part = entry.resources.prefix(max(1, limit))
    for resource in part.compactMap({ resources[$0] }) {
      removeFromIndexes(resource)
      pagesOfResources[resource.id] = nil
    }
    entries[record]?.resources.removeFirst(part.count)
    guard part.count < max(1, limit) else { return false }
    entries[record] = nil
    let source = entry.record.source
    if sources[source]?.isDiscarded ?? false,
      !entries.values.contains(where: { $0.record.source == source })
    {
      sources[source] = nil
    }
    return true
  }

  private mutating func newRecord(folder: String) throws(StoreError) -> RecordID {
    let key = SafeName.foldingKey(folder)
    let folders = entries.values.lazy.map(\.record.folder)
    guard !folders.contains(where: { SafeName.foldingKey($0) == key }) else {
      throw StoreError(.folderTaken, "the folder \"\(folder)\" belongs to another record")
    }
    lastRecordID += 1
    return RecordID(lastRecordID)
  }

  private func newPosition(at place: InsertPosition) -> Int {
    let positions = entries.values.compactMap(\.position)
    return switch place {
    case .end: (positions.max() ?? 0) + 1
    case .top: (positions.min() ?? 2) - 1
    }
  }
}

// Resources.
extension Tables {
  mutating func insert(
    _ drafts: [ResourceDraft], into record: RecordID, at place: InsertPosition
  ) throws(StoreError) -> ResourceIDRange {
    guard let entry = entries[record] else { throw Self.notFound("record \(record)") }
    let (id, index) = (lastResourceID + 1, entry.lastIndex + 1)
    lastResourceID += Int64(drafts.count)
    let added = (id..<lastResourceID + 1).map { ResourceID($0) }
    for (offset, draft) in drafts.enumerated() {
      enter(
        Resource(
          id: added[offset], record: record, index: index + offset, url: draft.url,
          title: draft.title, expectedChecksum: draft.expectedChecksum, fields: draft.fields,
          mirrors: Array(draft.mirrors.prefix(Resource.mirrorLimit)),
          expectedByteCount: draft.expectedByteCount))
    }
    entries[record]?.resources.insert(
      contentsOf: added, at: place == .top ? 0 : entry.resources.count)
    entries[record]?.lastIndex += drafts.count
    return ResourceIDRange(first: ResourceID(id), last: ResourceID(lastResourceID))
  }

  func isVisible(_ resource: Resource?) -> Bool {
    guard let resource else { return false }
    return entries[resource.record]?.isInPlace == true
  }

  /// Changes a resource, and its pages if `pages` is not nil, together with the counters and indexes derived
  /// from it.
  mutating func change(
    _ id: ResourceID, pages: [Page]? = nil, _ body: (inout Resource) -> Void
  ) {
    guard var resource = resources[id] else { return }
    removeFromIndexes(resource)
    if let pages {
      // If several pages have the same number, the last one wins.
      let byNumber = Dictionary(pages.map { ($0.number, $0) }) { _, last in last }
      pagesOfResources[id] = byNumber.values.sorted { $0.number < $1.number }
      resource.pageCount = byNumber.count
    }
    body(&resource)
    enter(resource)
  }

  mutating func remove(_ id: ResourceID) {
    guard let resource = resources[id] else { return }
    removeFromIndexes(resource)
    entries[resource.record]?.resources.removeAll { $0 == id }
    pagesOfResources[id] = nil
  }

  /// Inserts a new or changed resource into the tables, and updates counters and indexes.
  private mutating func enter(_ resource: Resource) {
    resources[resource.id] = resource
    count(resource, by: 1)
    guard let file = resource.file else { return }
    resourcesByDigest[file.digest, default: []].insert(resource.id)
    if let answer = file.answer {
      resourcesByRequest[answer.request, default: []].insert(resource.id)
    }
  }

  /// Removes a resource from the tables, counters and indexes; the caller may insert it again, changed.
  private mutating func removeFromIndexes(_ resource: Resource) {
    resources[resource.id] = nil
    count(resource, by: -1)
    guard let file = resource.file else { return }
    resourcesByDigest[file.digest]?.remove(resource.id)
    if let answer = file.answer { resourcesByRequest[answer.request]?.remove(resource.id) }
  }

  private mutating func count(_ resource: Resource, by step: Int) {
    entries[resource.record]?.record.counts[resource.state] += step
    if resource.isNamed { entries[resource.record]?.record.counts.named += step }
    entries[resource.record]?.record.counts.bytes &+=
      (resource.file?.byteCount ?? 0) &* Int64(step)
  }

  /// One sentence for each record whose counters are wrong.
  var problems: [String] {
    entries.values.compactMap { entry in
      var counts = ResourceCounts()
      for case let resource? in entry.resources.map({ resources[$0] }) {
        counts[resource.state] += 1
        if resource.isNamed { counts.named += 1 }
        counts.bytes &+= resource.file?.byteCount ?? 0
      }
      return counts == entry.record.counts ? nil : "record \(entry.record.id) is miscounted"
    }
  }
}

// Changes of whole records.
extension Tables {
  mutating func beginChange(_ verb: RecordVerb, of record: RecordID) throws(StoreError) {
    guard let entry = entries[record], entry.isInPlace else {
      throw Self.notFound("record \(record)")
    }
    verbs[record] = RecordVerbProgress(
      verb: verb, lastResource: entry.resources.max() ?? ResourceID(0))
  }

  mutating func advance(_ record: RecordID, limit: Int) -> Int? {
    guard let progress = verbs[record] else { return nil }
    let part = (entries[record]?.resources ?? []).sorted()
      .filter { $0 > progress.last && $0 <= progress.lastResource }
      .compactMap { resources[$0] }
      .filter { progress.verb.concerns($0) }.prefix(max(0, limit))
    let isLazy = entries[record]?.record.isLazy ?? false
    for resource in part {
      change(resource.id) { progress.verb.apply(to: &$0, isLazy: isLazy) }
    }
    verbs[record] = part.last.map { last in
      RecordVerbProgress(verb: progress.verb, last: last.id, lastResource: progress.lastResource)
    }
    return part.isEmpty ? nil : part.count
  }
}
