import Hashing
import Models
import Persistence
import ProgressTree
import SystemCalls

/// What an earlier process left behind is finished or removed, without a request.
extension Engine {
  func recover() async throws {
    for source in try await store.incompleteSources() {
      // Nothing of it was downloaded: downloads begin when the whole list is in the store.
      try await store.discardSource(source.id)
    }
    try await settleStored()
    try await sweepIncoming()
    try await dropUnansweredCallers()
  }

  /// Who waited for them is gone.
  private func dropUnansweredCallers() async throws {
    guard let record = try await store.looseRecord() else { return }
    looseRecord = record
    records[record.id] = record
    var gone: [ResourceID] = []
    var offset = 0
    while case let page = try await store.resources(of: record.id, offset: offset, limit: 1_000),
      !page.isEmpty
    {
      offset += page.count
      gone += page.filter { $0.file == nil }.map(\.id)
    }
    guard !gone.isEmpty else { return }
    try await store.forget(gone.map(\.description), in: .loose)
    try await store.apply(gone.map { .removed($0) }, durable: false)
  }

  /// Rows that were on their way into place: the file is there and right, or it is fetched again.
  private func settleStored() async throws {
    var inPlace: [Digest: String] = [:]
    while case let stored = try await store.resources(
      in: .stored, of: nil, after: nil, limit: 256),
      !stored.isEmpty
    {
      try await know(stored)
      var changes: [ResourceChange] = []
      for resource in stored {
        guard let file = resource.file, let record = records[resource.record],
          try await isInPlace(file, resource, record, twin: inPlace[file.digest])
        else {
          changes.append(.requeued(resource.id, reason: nil))
          continue
        }
        inPlace[file.digest] = layout.original(file, in: record)
        changes.append(.fetched(resource.id))
      }
      let isDurable = settings.durability == .full
      if isDurable {
        try await disk.run { [layout] in
          try FileSystem.openFolder(layout.root).syncFileSystem()
        }
      }
      try await store.apply(changes, durable: isDurable)
    }
  }

  /// Moves a whole partial file to its name if that has not happened, then looks at its content.
  /// A file of that name with other content was cut by a power failure: it goes.
  /// - Parameter twin: an original of the same content that is in place already.
  private func isInPlace(
    _ file: StoredFile, _ resource: Resource, _ record: Record, twin: String?
  ) async throws -> Bool {
    let target = layout.original(file, in: record)
    let partial = layout.partial(of: request(of: resource))
    let draft = "\(layout.incoming)/\(resource.id).copy"
    let mustLast = settings.durability == .full
    return try await disk.run {
      if try Self.holds(file, target) {
        // A sync may have failed: the kernel takes such pages for clean, and a second sync proves
        // nothing. What is written anew is synced anew.
        if mustLast {
          try FileSystem.removeIfThere(draft)
          if let twin, (try? FileSystem.link(twin, to: draft)) != nil {
            try FileSystem.rename(draft, to: target)
            // Two names of one file already: then a rename does nothing (POSIX).
            try FileSystem.removeIfThere(draft)
          } else {
            try FileSystem.copy(target, to: draft, sharing: false)
            try FileSystem.rename(draft, to: target)
          }
        }
        return true
      }
      if try Self.holds(file, partial) {
        try FileSystem.moveIntoFolders(partial, to: target)
        return true
      }
      try FileSystem.removeIfThere(target)
      return false
    }
  }

  private static func holds(_ file: StoredFile, _ path: String) throws -> Bool {
    guard let status = try? FileSystem.status(path, followingLinks: false),
      status.kind == .file, status.size == file.byteCount
    else { return false }
    return try PrefixDigest(of: path, atMost: nil).hasher.finalize() == file.digest
  }

  /// Partial files without a row go, rows without a file go, the rest is remembered.
  private func sweepIncoming() async throws {
    let known = Set(try await store.partials())
    let found = try await disk.run { [layout] in
      var found: Set<RequestKey> = []
      for file in try FileSystem.list(layout.incoming) {
        let path = "\(layout.incoming)/\(file.name)"
        let request = file.name.split(separator: ".").first.flatMap { RequestKey($0) }
        if let request, known.contains(request), path == layout.partial(of: request),
          (try? FileSystem.status(path, followingLinks: false))?.kind == .file
        {
          found.insert(request)
        } else {
          try FileSystem.removeTree(path)
        }
      }
      return found
    }
    resumable = found
    let lost = known.subtracting(found).map { ResourceChange.partialGone($0) }
    if !lost.isEmpty { try await store.apply(lost, durable: false) }
  }

  /// Every record with work left appears in the progress.
  func trackUnsettledRecords() async throws {
    var offset = 0
    while case let page = try await store.records(offset: offset, limit: 500), !page.isEmpty {
      offset += page.count
      for record in page where record.counts.settled < record.counts.total { track(record) }
    }
  }

  /// From now on the progress counts what becomes of the record; what it counts already stays.
  func track(_ record: Record) {
    guard !removed.contains(record.id) else { return }
    records[record.id] = record
    guard tracked.insert(record.id).inserted else { return }
    ports.progress.addRecord(
      record.id, title: record.title, total: record.counts.total,
      finished: record.counts.finished, failed: record.counts.failed)
  }
}
