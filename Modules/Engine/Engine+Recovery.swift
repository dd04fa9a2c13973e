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
  }

  /// Rows that were on their way into place: the file is there and right, or it is fetched again.
  private func settleStored() async throws {
    while case let stored = try await store.resources(in: .stored, after: nil, limit: 256),
      !stored.isEmpty
    {
      var changes: [ResourceChange] = []
      for resource in stored {
        guard let file = resource.file, let record = try await record(of: resource),
          try await isInPlace(file, resource, record)
        else {
          changes.append(.requeued(resource.id))
          continue
        }
        changes.append(.fetched(resource.id))
      }
      try await disk.run { [layout] in
        try FileSystem.openFolder(layout.root).syncFileSystem()
      }
      try await store.apply(changes, durable: true)
    }
  }

  /// Moves a whole partial file to its name if that has not happened, then looks at its content.
  private func isInPlace(
    _ file: StoredFile, _ resource: Resource, _ record: Record
  ) async throws -> Bool {
    let target = layout.original(file, in: record)
    let partial = layout.partial(of: resource.id)
    return try await disk.run {
      for path in [target, partial] {
        guard let status = try? FileSystem.status(path), status.kind == .file,
          status.size == file.byteCount,
          try PrefixDigest(of: path, atMost: nil).hasher.finalize() == file.digest
        else { continue }
        if path == partial {
          try FileSystem.makeFolders(FileSystem.parentFolder(of: target))
          try FileSystem.rename(partial, to: target)
        }
        return true
      }
      return false
    }
  }

  /// Partial files without a row go, rows without a file go, the rest is remembered.
  private func sweepIncoming() async throws {
    let known = Set(try await store.partials())
    let layout = layout
    let files = try await disk.run { try FileSystem.list(layout.incoming) }
    var found: Set<ResourceID> = []
    for file in files {
      if file.name.hasSuffix(".part"), let number = Int64(file.name.dropLast(5)),
        known.contains(ResourceID(number))
      {
        found.insert(ResourceID(number))
      } else {
        try FileSystem.removeTree("\(layout.incoming)/\(file.name)")
      }
    }
    for id in found { partials[id] = try await store.partial(of: id) }
    let lost = known.subtracting(found).map { ResourceChange.partialGone($0) }
    if !lost.isEmpty { try await store.apply(lost, durable: false) }
  }

  private func record(of resource: Resource) async throws -> Record? {
    if let known = records[resource.record] { return known }
    let record = try await store.record(resource.record)
    records[resource.record] = record
    return record
  }

  /// Every record with work left appears in the progress.
  func trackUnsettledRecords() async throws {
    var offset = 0
    while case let page = try await store.records(offset: offset, limit: 500), !page.isEmpty {
      offset += page.count
      for record in page where record.counts.settled < record.counts.total { track(record) }
    }
  }

  func track(_ record: Record) {
    records[record.id] = record
    ports.progress.addRecord(
      record.id, title: record.title, total: record.counts.total,
      finished: record.counts.finished, failed: record.counts.failed)
  }
}
