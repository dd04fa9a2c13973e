import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import Threading

/// Completes or removes the unfinished work of an earlier process, without a request.
final class Recovery: Stage {
  func run() async throws {
    try await forgivingFullDisk {
      // No resource of an incomplete source was downloaded: downloads begin when the whole list is stored.
      for source in try store.incompleteSources() { try store.discardSource(source.id) }
      for record in try store.removedRecords() where try isWithoutFiles(record) {
        try await stages.removals.removeRows(of: record)
      }
      try await stages.removals.removeStandaloneRecord()
      for record in try store.recordsInChange() { try await stages.verbs.finishChange(of: record) }
    }
    if let record = try store.standaloneRecord() {
      standalone.setRecord(record.id)
      records.register(record)
    }
    // A `fetched` row shows that the earlier process was making pages, or was about to.
    let wasRendering = try !store.resources(
      in: .fetched, of: nil, after: nil, limit: 1
    ).isEmpty
    if wasRendering { try await stages.evictions.rebuildUsage() }
    try await completeStored()
    try await recoverPageWork()
    try await sweepOrphans(among: sweepIncoming())
    try await sweepStandalone()
  }

  /// Ignores a full disk: the rest is left for the next start, because the user must first be able to
  /// remove records.
  private func forgivingFullDisk(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch {
      guard LibraryError.wrapping(error).code == .diskFull else { throw error }
      try await disk.run { [layout] in _ = DiskReserve(layout).deleteFile() }
    }
  }

  /// Whether a removed record belongs to a discarded source, of which nothing was downloaded.
  private func isWithoutFiles(_ record: Record) throws(StoreError) -> Bool {
    if record.isStandalone { return false }
    return try store.source(record.source) == nil
  }

  /// Fails resources during whose processing two engines ended; only a user's command queues them again.
  private func recoverPageWork() async throws {
    let left = try store.pageWork()
    guard !left.isEmpty else { return }
    var journal = try await PageWorkJournal(left) { id in
      try store.resource(id)?.state == .fetched
    }
    let tooOften = journal.removeRepeatedlyInterrupted()
    try store.apply(
      tooOften.map { .failed($0, reason: Self.endedTwice, pages: []) })
    try store.setPageWork(journal.idle)
    pages.resetQueue(journal: journal)
  }

  static let endedTwice = "imgdl ended twice while it was processing this file"

  /// Deletes standalone resources without a file, for which no caller waits after a restart, and files
  /// without a row, left by an interrupted eviction.
  private func sweepStandalone() async throws {
    guard let record = standalone.record.flatMap({ records[$0] }) else { return }
    var left = Set(
      try await disk.run { [layout] in try Self.files(below: layout.standalone, layout) })
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
      try store.removeEntries(gone.map(\.description), in: .standalone)
      try store.apply(gone.map { .removed($0) })
    }
    let leftovers = left
    try await disk.run { [layout] in
      for path in leftovers { try layout.folder.removeIfExists(path) }
    }
  }

  private static func files(below folder: String, _ layout: LibraryLayout) throws -> [String] {
    guard layout.folder.exists(folder) else { return [] }
    return try layout.folder.list(folder).flatMap { entry in
      let path = "\(folder)/\(entry.name)"
      return entry.kind == .folder ? try files(below: path, layout) : [path]
    }
  }

  /// Completes rows in state `stored`: if the file is not in place and intact, the resource is queued
  /// again.
  private func completeStored() async throws {
    var inPlace = DuplicateFiles()
    while case let stored = try store.resources(
      in: .stored, of: nil, after: nil, limit: 256),
      !stored.isEmpty
    {
      try catalog.loadRecords(of: stored)
      let digests = Set(stored.compactMap { $0.file?.digest })
      for (digest, holders) in try store.holders(of: Array(digests), limit: 2) {
        for holder in holders {
          inPlace.register("\(layout.root)/\(holder.folder)/\(holder.file.name)", digest)
        }
      }
      var changes: [ResourceChange] = []
      for resource in stored {
        guard let file = resource.file, let record = records[resource.record] else {
          changes.append(.requeued(resource.id, reason: nil))
          continue
        }
        let recovery = CommitRecovery(
          file: file, target: layout.original(file, in: record),
          partial: layout.partial(of: catalog.request(of: resource)),
          draft: "\(layout.incoming)/\(resource.id).copy",
          duplicates: inPlace.paths(of: file.digest), folder: layout.folder,
          mustBeDurable: sync.isEnabled
        )
        guard try await disk.run({ try recovery.recover() }) else {
          changes.append(.requeued(resource.id, reason: nil))
          continue
        }
        inPlace.register(recovery.target, file.digest)
        changes.append(stages.deliveries.followUp(resource, file))
      }
      try await disk.run { [sync] in try sync() }
      try store.apply(changes)
      if sync.isEnabled { try await store.sync() }
    }
  }

  /// Deletes partial files without a row and rows without a file, and registers the rest.
  /// - Returns: The requests with both a row and a file.
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
    partialFiles.registerFound(found)
    let lost = known.subtracting(found).map { ResourceChange.partialDeleted($0) }
    if !lost.isEmpty { try store.apply(lost) }
    return found
  }

  /// The time in seconds for which the partial file of an interrupted source is kept, since no row shows
  /// whether the source will be added again.
  static let orphanRetention: Int64 = 7 * 24 * 3_600

  /// Deletes partial files older than `orphanRetention` that no unfinished resource needs. The rows of
  /// unfinished resources are read only if such files exist, and only until each file was found.
  private func sweepOrphans(among requests: Set<RequestKey>) async throws {
    let oldest = ports.wallClock.unixSeconds() - Self.orphanRetention
    var orphans = try await disk.run { [layout] in
      requests.filter { request in
        (try? layout.folder.status(layout.partial(of: request))).map {
          $0.modified / 1_000_000_000 < oldest
        } ?? false
      }
    }
    guard !orphans.isEmpty else { return }
    for record in try catalog.allRecords() where record.counts.finished < record.counts.total {
      var offset = 0
      while !orphans.isEmpty,
        case let page = try store.resources(of: record.id, offset: offset, limit: 1_000),
        !page.isEmpty
      {
        offset += page.count
        try catalog.loadRecords(of: page)
        for resource in page where resource.state != .finished {
          orphans.remove(catalog.request(of: resource))
        }
      }
    }
    let left = orphans
    try await disk.run { [layout] in
      for request in left { try layout.folder.removeIfExists(layout.partial(of: request)) }
    }
    for request in left { partialFiles.unregister(request) }
    try store.apply(left.map { .partialDeleted($0) })
  }
}
