import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading

/// What an earlier process left behind is finished or removed, without a request.
extension Engine {
  func recover() async throws {
    try await forgivingFullDisk {
      // Nothing of it was downloaded: downloads begin when the whole list is in the store.
      for source in try store.incompleteSources() { try store.discardSource(source.id) }
      for record in try store.removedRecords() where try isWithoutFiles(record) {
        try await removeRows(of: record)
      }
      try await removeLooseRecord()
      for record in try store.recordsInChange() { try await finishChange(of: record) }
    }
    if let record = try store.looseRecord() {
      standalone.keep(in: record.id)
      records.note(record)
    }
    // Pages were being made, or were about to be, when it ended.
    let wasRendering = try !store.resources(
      in: .fetched, of: nil, after: nil, limit: 1
    ).isEmpty
    if wasRendering { try await rebuildCacheUsage() }
    try await completeStored()
    try await recoverPageWork()
    try await sweepOrphans(among: sweepIncoming())
    try await sweepLoose()
  }

  /// What a full disk has no room for is left for the next start: the user has to remove records first.
  private func forgivingFullDisk(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch {
      guard LibraryError.wrapping(error).code == .diskFull else { throw error }
      try await disk.run { [layout] in _ = DiskReserve(layout).release() }
    }
  }

  /// Whether a removed record is one of a source that was discarded.
  private func isWithoutFiles(_ record: Record) throws(StoreError) -> Bool {
    if record.isStandalone { return false }
    return try store.source(record.source) == nil
  }

  /// A resource during whose processing two engines have ended is not tried again until a user asks.
  private func recoverPageWork() async throws {
    let left = try store.pageWork()
    guard !left.isEmpty else { return }
    var journal = try await PageWorkJournal(left) { id in
      try store.resource(id)?.state == .fetched
    }
    let hopeless = journal.takeHopeless()
    try store.apply(
      hopeless.map { .failed($0, reason: Self.endedTwice, pages: []) }, durable: false)
    try store.setPageWork(journal.atRest)
    pageStage = Self.makePageStage(settings, journal)
  }

  static let endedTwice = "imgdl ended twice while it was processing this file"

  /// Whoever waited for what is not there is gone; files without a row are of an eviction that
  /// broke off.
  private func sweepLoose() async throws {
    guard let record = standalone.record.flatMap({ records[$0] }) else { return }
    var left = Set(try await disk.run { [layout] in try Self.files(below: layout.loose, layout) })
    var gone: [ResourceID] = []
    var offset = 0
    while case let page = try store.resources(of: record.id, offset: offset, limit: 1_000),
      !page.isEmpty
    {
      offset += page.count
      for resource in page {
        if let file = resource.file {
          left.remove(layout.original(file, in: record))
        } else {
          gone.append(resource.id)
        }
      }
    }
    if !gone.isEmpty {
      try store.forget(gone.map(\.description), in: .loose)
      try store.apply(gone.map { .removed($0) }, durable: false)
    }
    let litter = left
    try await disk.run { [layout] in
      for path in litter { try layout.folder.removeIfThere(path) }
    }
  }

  private static func files(below folder: String, _ layout: LibraryLayout) throws -> [String] {
    guard layout.folder.exists(folder) else { return [] }
    return try layout.folder.list(folder).flatMap { entry in
      let path = "\(folder)/\(entry.name)"
      return entry.kind == .folder ? try files(below: path, layout) : [path]
    }
  }

  /// Rows that were on their way into place: the file is there and right, or it is fetched again.
  private func completeStored() async throws {
    var inPlace = DuplicateFiles()
    while case let stored = try store.resources(
      in: .stored, of: nil, after: nil, limit: 256),
      !stored.isEmpty
    {
      try know(stored)
      let digests = Set(stored.compactMap { $0.file?.digest })
      for (digest, holders) in try store.holders(of: Array(digests), limit: 2) {
        for holder in holders {
          inPlace.note("\(layout.root)/\(holder.folder)/\(holder.file.name)", digest)
        }
      }
      var changes: [ResourceChange] = []
      for resource in stored {
        guard let file = resource.file, let record = records[resource.record] else {
          changes.append(.requeued(resource.id, reason: nil))
          continue
        }
        let settlement = CommitRecovery(
          file: file, target: layout.original(file, in: record),
          partial: layout.partial(of: request(of: resource)),
          draft: "\(layout.incoming)/\(resource.id).copy",
          twins: inPlace.paths(of: file.digest), folder: layout.folder, mustLast: sync.isWanted)
        guard try await disk.run({ try settlement.settle() }) else {
          changes.append(.requeued(resource.id, reason: nil))
          continue
        }
        inPlace.note(settlement.target, file.digest)
        changes.append(followUp(resource, file))
      }
      try await disk.run { [sync] in try sync() }
      try store.apply(changes, durable: sync.isWanted)
    }
  }

  /// Partial files without a row go, rows without a file go, the rest is remembered.
  /// - Returns: what has both.
  private func sweepIncoming() async throws -> Set<RequestKey> {
    let known = Set(try store.partials())
    let found = try await disk.run { [layout] in
      var found: Set<RequestKey> = []
      for file in try layout.folder.list(layout.incoming) {
        let path = "\(layout.incoming)/\(file.name)"
        let request = file.name.split(separator: ".").first.flatMap { RequestKey($0) }
        if let request, known.contains(request), path == layout.partial(of: request),
          (try? layout.folder.status(path))?.kind == .file
        {
          found.insert(request)
        } else {
          try layout.folder.removeTree(path)
        }
      }
      return found
    }
    partialFiles.adopt(found)
    let lost = known.subtracting(found).map { ResourceChange.partialGone($0) }
    if !lost.isEmpty { try store.apply(lost, durable: false) }
    return found
  }

  /// Seconds for which a partial file is kept for a source that was broken off: no row tells that
  /// somebody will add it again.
  static let orphanRetention: Int64 = 7 * 24 * 3_600

  /// Removes partial files that are older and belong to nothing that is still to be fetched. Looks at what
  /// is unfinished only if there are old ones, and until each of them has been found there.
  private func sweepOrphans(among requests: Set<RequestKey>) async throws {
    let oldest = Machine.unixSeconds - Self.orphanRetention
    var orphans = try await disk.run { [layout] in
      requests.filter { request in
        (try? layout.folder.status(layout.partial(of: request))).map {
          $0.modified / 1_000_000_000 < oldest
        } ?? false
      }
    }
    guard !orphans.isEmpty else { return }
    for record in try allRecords() where record.counts.finished < record.counts.total {
      var offset = 0
      while !orphans.isEmpty,
        case let page = try store.resources(of: record.id, offset: offset, limit: 1_000),
        !page.isEmpty
      {
        offset += page.count
        try know(page)
        for resource in page where resource.state != .finished {
          orphans.remove(request(of: resource))
        }
      }
    }
    let left = orphans
    try await disk.run { [layout] in
      for request in left { try layout.folder.removeIfThere(layout.partial(of: request)) }
    }
    for request in left { partialFiles.forget(request) }
    try store.apply(left.map { .partialGone($0) }, durable: false)
  }

  /// Every record with work left appears in the progress.
  func trackUnsettledRecords() throws(StoreError) {
    var offset = 0
    while case let page = try store.records(offset: offset, limit: 500), !page.isEmpty {
      offset += page.count
      for record in page where record.counts.settled < record.counts.total { track(record) }
    }
  }

  /// From now on the progress counts what becomes of a record, if it does not yet.
  func trackNow(_ id: RecordID) throws(StoreError) {
    guard !announcer.isTracked(id), let record = try store.record(id) else { return }
    track(record)
  }

  /// From now on the progress counts what becomes of the record; what it counts already stays.
  func track(_ record: Record) {
    guard !records.isRemoved(record.id) else { return }
    records.note(record)
    if announcer.track(record.id) { count(record) }
  }
}
