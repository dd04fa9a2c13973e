import LibraryAPI
import Manifests
import Models
import Persistence

/// Inserts the entries of sources that were read again.
extension RefreshStage {
  /// Inserts the new entries of known lists, and creates records for new lists.
  /// - Parameters:
  ///   - ownCount: The number of the lists of the first document, which come first.
  ///   - isSequence: Whether new entries behind the known ones stay there, and are not put above them.
  ///   - isRest: Whether so do new lists.
  ///   - known: The records of the source before it was read. The lists of those that were removed since are left out.
  /// - Returns: Whether entries that are not known may follow those of the first document: its last one is new, or all
  ///   that is known of the source is in `lists`, so that no further page has been read.
  func insertEntries(
    _ lists: [RefreshImport.SourceList], own ownCount: Int, isSequence: Bool, isRest: Bool,
    of source: SourceRow, _ known: [Record], _ outcome: SourceImport.Outcome,
    into result: inout RefreshResult
  ) async throws -> Bool {
    var endsWithNew = ownCount == 0
    var complete: Set<RecordID> = []
    var matching = RecordMatching(
      known, lists: lists.map(\.title), isOneList: !outcome.hasLinks)
    // An entry that is missing from a list that was not read to its end may follow on a later page.
    let isWhole = outcome.state.nextPage == nil && !outcome.state.isCut
    var matches: [Record?] = []
    // `RecordMatching` expects the last list first.
    for list in lists.reversed() {
      let match = try matching.record(for: list.title, entryCount: list.entries.count) {
        record throws(StoreError) in
        try list.entries.count
          - compare(list.entries, isWhole: isWhole, with: record).new.count
      }
      matches.append(match)
    }
    matches.reverse()
    // Lists that no earlier reading reached follow the known ones.
    let firstUnread = isRest ? matches.lastIndex { $0 != nil }.map { $0 + 1 } : nil
    let end = firstUnread ?? lists.count
    // The lists are handled from the last to the first, because each new record is inserted above the others.
    for index in (0..<end).reversed() {
      let list = lists[index]
      guard let record = matches[index] else {
        if index == ownCount - 1 { endsWithNew = true }
        let id = try await addRecord(list, source, at: .top)
        result.newRecords.insert(id, at: 0)
        continue
      }
      try await untilUnlocked()
      guard try isPresent(record) else { continue }
      let comparison = try await insertNew(
        of: list, isWhole: isWhole, into: record, isSequence: isSequence)
      result.newEntries += comparison.new.count
      if comparison.hasAllKnown { complete.insert(record.id) }
      if index == ownCount - 1 { endsWithNew = comparison.endsWithNew }
    }
    for list in lists[end...] {
      result.newRecords.append(try await addRecord(list, source, at: .end))
    }
    if end < ownCount { endsWithNew = true }
    return endsWithNew || known.allSatisfy { complete.contains($0.id) || $0.counts.total == 0 }
  }

  private func addRecord(
    _ list: RefreshImport.SourceList, _ source: SourceRow, at place: InsertPosition
  ) async throws -> RecordID {
    let record = try await makeRecord(list, source, at: place)
    try await untilUnlocked()
    try insert(list.entries, into: record, at: .end)
    return record.id
  }

  private func insertNew(
    of list: RefreshImport.SourceList, isWhole: Bool, into record: Record, isSequence: Bool
  ) async throws -> RecordComparison {
    let comparison = try compare(list.entries, isWhole: isWhole, with: record)
    try updateKnown(comparison, of: record)
    if isSequence {
      try insert(Array(comparison.preceding), into: record, at: .top)
      try insert(Array(comparison.following), into: record, at: .end)
    } else {
      try insert(comparison.new, into: record, at: .top)
    }
    if comparison.retriedCount > 0 {
      // The scheduler accepts a resource again only after `.commitEnded` for its earlier row change.
      await commits.flush()
      if try isPresent(record) { try catalog.recount(record.id) }
      announcer.emit(.retried(record.id, count: comparison.retriedCount))
    }
    return comparison
  }

  /// Stores changed URLs, mirrors and checksums. Files that were downloaded stay, whichever URL has delivered them;
  /// `retry` and `reload` compare the new checksum.
  private func updateKnown(
    _ comparison: RecordComparison, of record: Record
  ) throws(StoreError) {
    guard !comparison.changes.isEmpty else { return }
    try store.apply(comparison.changes)
    stages.viewports.forgetResources(of: record.id)
    // Waiting jobs have copies of the old values; the queue is read again after the refresh.
    transfers.send(.withdrawn(comparison.changedWaiting { transfers.isRunning($0) }))
    for (resource, url) in comparison.relocated {
      try stages.partials.move(of: resource, to: url)
    }
  }

  /// Returns the entries whose requests are not yet in the record.
  func new(
    _ entries: [ManifestEntry], in record: Record
  ) throws(StoreError) -> [ManifestEntry] {
    try compare(entries, isWhole: false, with: record).new
  }

  private func compare(
    _ entries: [ManifestEntry], isWhole: Bool, with record: Record
  ) throws(StoreError) -> RecordComparison {
    try catalog.register(record)
    let isPublic = catalog.forbidsPrivateAddresses(record.id)
    let scope = catalog.scope(of: record.id)
    let identity = catalog.identity(of: record.source)
    var comparison = RecordComparison(entries, isWhole: isWhole) { [catalog] url, fields in
      // The page that names an image may be another one than before, or none may have been stored.
      var fields = fields
      fields.remove("Referer")
      return catalog.name(url, fields, isPublic: isPublic, scope, identity).request
    }
    var offset = 0
    while case let page = try store.resources(of: record.id, offset: offset, limit: 1_000),
      !page.isEmpty
    {
      offset += page.count
      comparison.add(page)
    }
    comparison.finish()
    return comparison
  }

  func makeRecord(
    _ list: RefreshImport.SourceList, _ source: SourceRow, at place: InsertPosition
  ) async throws -> Record {
    let record = try await stages.recordMaking.makeRecord(
      RecordDraft(
        source: source.id, title: list.title, folder: "", isLazy: source.draft.isLazy), at: place)
    try catalog.register(record)
    catalog.track(record)
    announcer.emit(.recordAdded(record.id, title: record.title))
    return record
  }

  func insert(
    _ entries: [ManifestEntry], into record: Record, at place: InsertPosition
  ) throws(StoreError) {
    guard !entries.isEmpty else { return }
    let range = try store.insertResources(
      entries.map { ResourceDraft($0) }, into: record.id, at: place)
    // The rows are synced before a file of the new resources gets its name: after a crash, only the rows
    // tell to which record the file belongs.
    commits.requireRowSync()
    records.registerLastResource(range.last)
    try catalog.recount(record.id)
    stages.viewports.forgetResources(of: record.id)
    announcer.emit(.entriesAdded(record.id, count: entries.count))
  }
}

extension ResourceDraft {
  init(_ entry: ManifestEntry) {
    self.init(
      url: entry.address, title: entry.name ?? entry.title, expectedChecksum: entry.checksum,
      fields: entry.headers, mirrors: entry.mirrors,
      expectedByteCount: entry.expectedByteCount)
  }
}
