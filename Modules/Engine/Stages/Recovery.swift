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
    if wasRendering {
      try await forgivingFullDisk { try await stages.evictions.rebuildUsage() }
    }
    try await completeStored()
    try await forgivingFullDisk { try await recoverPageWork() }
    try await forgivingFullDisk { try await sweepOrphans(among: sweepIncoming()) }
    try await forgivingFullDisk { try await sweepStandalone() }
  }

  /// Leaves the rest of a step for the next start if the disk is full, because the user must first be able to
  /// remove records. If there is a reserve, it is released, and the step is tried once more.
  func forgivingFullDisk(_ body: () async throws -> Void) async throws {
    do {
      do {
        try await body()
      } catch {
        guard LibraryError.wrapping(error).code == .diskFull,
          try await disk.run({ [layout] in DiskReserve(layout).deleteFile() })
        else { throw error }
        try await body()
      }
    } catch {
      guard LibraryError.wrapping(error).code == .diskFull else { throw error }
    }
  }

  /// Whether a removed record belongs to a discarded source, of which nothing was downloaded.
  private func isWithoutFiles(_ record: Record) throws(StoreError) -> Bool {
    if record.isStandalone { return false }
    return try store.source(record.source) == nil
  }

  /// Restores the journal of page work. Resources during whose processing an engine ended are processed last.
  private func recoverPageWork() async throws {
    let left = try store.pageWork()
    guard !left.isEmpty else { return }
    let journal = try await PageWorkJournal(left) { id in
      try store.resource(id)?.state == .fetched
    }
    pages.resetQueue(journal: journal)
    try store.setPageWork(journal.idle)
  }

  /// The reason of resources that earlier versions failed because two engines had ended while they processed them.
  /// Their files are whole, so that `retry` processes them without a request.
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

  /// Deletes partial files without a row and rows without a file, and registers the rest. The files of postponed
  /// commits, which have no row, stay.
  /// - Returns: The requests with both a row and a file.
  private func sweepIncoming() async throws -> Set<RequestKey> {
    let known = Set(try store.partials())
    let found = try await disk.run { [layout, kept = partialFiles.postponed] in
      var found: Set<RequestKey> = []
      for file in try layout.folder.list(layout.incoming) {
        let path = "\(layout.incoming)/\(file.name)"
        let request = file.name.split(separator: ".").first.flatMap { RequestKey($0) }
        if let request, known.contains(request), path == layout.partial(of: request),
          (try? layout.folder.status(path))?.kind == .file
        {
          found.insert(request)
        } else if let request, kept.contains(request), path == layout.partial(of: request) {
          continue
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
