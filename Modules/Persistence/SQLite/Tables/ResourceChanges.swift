import Models
package import Persistence

/// The changes of resources, and of their files and pages.
package protocol ResourceChanges: TableChanges {}

extension ResourceChanges {
  /// Applies the changes in order, and then adds their net effect to the counters of the records.
  package func apply(_ changes: [ResourceChange]) throws(StoreError) {
    try transaction { () throws(StoreError) in
      guard let rows = connection.recentRows else { return try applyAll(changes) }
      try rows.updating { () throws(StoreError) in try applyAll(changes) }
    }
  }

  private func applyAll(_ changes: [ResourceChange]) throws(StoreError) {
    var updates = try ResourceRowUpdates(
      reading: changes.compactMap(\.affectedResource),
      filesOf: changes.lazy.filter(\.affectsFile).compactMap(\.affectedResource), from: connection
    )
    var files: [(owner: ResourceID, file: StoredFile)] = []
    for change in changes {
      switch change {
      case .stored(let id, let file):
        guard let index = updates.index(of: id) else { continue }
        if updates[index].bytes != nil {
          if files.contains(where: { $0.owner == id }) { try insertAll(&files) }
          try fileTable.removeFile(of: id)
        }
        files.append((id, file))
      case .answering, .requeued, .removed: try insertAll(&files)
      case .attempted, .fetched, .finished, .failed, .queuedAgain, .kept, .named, .partial,
        .partialDeleted, .mirrored, .relocated, .expecting:
        break
      }
      try apply(change, to: &updates)
    }
    try insertAll(&files)
    try updates.write(to: connection)
  }

  private var fileTable: FileTable { FileTable(connection: connection) }

  private func insertAll(
    _ files: inout [(owner: ResourceID, file: StoredFile)]
  ) throws(StoreError) {
    try fileTable.insert(files)
    files = []
  }

  /// Applies one change, except that the row of a new file is inserted later.
  private func apply(
    _ change: ResourceChange, to updates: inout ResourceRowUpdates
  ) throws(StoreError) {
    switch change {
    case .partial(let request, let partial): return try fileTable.insert(partial, of: request)
    case .partialDeleted(let request): return try fileTable.forgetPartial(of: request)
    case .answering(let id, let answer): return try fileTable.setAnswer(answer, of: id)
    case .mirrored(let id, let mirrors, let byteCount):
      return try connection.run(
        "UPDATE resource SET mirrors = ?2, expected_bytes = ?3 WHERE id = ?1", id.rawValue,
        MirrorsText.encode(mirrors), byteCount)
    case .relocated(let id, let url):
      return try connection.run(
        "UPDATE resource SET url = ?2 WHERE id = ?1", id.rawValue, url)
    case .expecting(let id, let checksum):
      return try connection.run(
        "UPDATE resource SET expected_digest = ?2 WHERE id = ?1", id.rawValue, checksum)
    default: break
    }
    guard let id = change.affectedResource, let index = updates.index(of: id) else { return }
    switch change {
    case .attempted: updates[index].attempts &+= 1
    case .stored(_, let file):
      updates[index].bytes = file.byteCount
      try replacePages(of: id, with: [], in: &updates[index])
      updates[index].state = .stored
      updates[index].reason = file.remark
      updates[index].mustReload = false
    case .fetched: updates[index].state = .fetched
    case .finished(_, let pages, let reason):
      try replacePages(of: id, with: pages, in: &updates[index])
      updates[index].state = .finished
      updates[index].reason = reason
      updates[index].isNamed = false
    case .failed(_, let reason, let pages):
      try replacePages(of: id, with: pages, in: &updates[index])
      updates[index].state = .failed
      updates[index].reason = reason
      updates[index].isNamed = false
    case .requeued(_, let reason):
      try fileTable.removeFile(of: id)
      try replacePages(of: id, with: [], in: &updates[index])
      updates[index].bytes = nil
      updates[index].state = .queued
      updates[index].reason = reason
      updates[index].attempts = 0
      updates[index].mustReload = false
    case .queuedAgain(_, let mustReload):
      updates[index].state = .queued
      updates[index].reason = nil
      updates[index].attempts = 0
      updates[index].mustReload = mustReload
    case .kept(_, let remark, let needsPages):
      updates[index].state = needsPages ? .fetched : .finished
      updates[index].reason = remark
      updates[index].mustReload = false
      if !needsPages { updates[index].isNamed = false }
    case .named(_, let isNamed): updates[index].isNamed = isNamed
    case .removed:
      for table in ["page", "file", "stored"] {
        try connection.run("DELETE FROM \(table) WHERE resource = ?1", id.rawValue)
      }
      try connection.run("DELETE FROM resource WHERE id = ?1", id.rawValue)
      updates.remove(at: index)
    case .partial, .partialDeleted, .answering, .mirrored, .relocated, .expecting: break
    }
  }

  private func replacePages(
    of id: ResourceID, with pages: [Page], in state: inout ResourceRowUpdates.ResourceRowState
  ) throws(StoreError) {
    if state.pageCount > 0 {
      try connection.run("DELETE FROM page WHERE resource = ?1", id.rawValue)
    }
    for page in pages {
      try connection.run(
        "INSERT OR REPLACE INTO page VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        id.rawValue, page.number, page.width, page.height, page.label, page.file, page.thumbnail,
        page.reason, page.thumbHash, page.remark)
    }
    state.pageCount = Int64(Set(pages.lazy.map(\.number)).count)
  }
}

extension ResourceChange {
  /// The resource whose own row the change affects; nil if the change affects only other rows.
  fileprivate var affectedResource: ResourceID? {
    switch self {
    case .attempted(let id), .stored(let id, _), .fetched(let id), .finished(let id, _, _),
      .failed(let id, _, _), .requeued(let id, _), .queuedAgain(let id, _),
      .kept(let id, _, _), .named(let id, _), .removed(let id):
      id
    case .partial, .partialDeleted, .answering, .mirrored, .relocated, .expecting: nil
    }
  }

  /// Whether the change adds or removes a file.
  fileprivate var affectsFile: Bool {
    switch self {
    case .stored, .requeued, .removed: true
    case .attempted, .fetched, .finished, .failed, .queuedAgain, .kept, .named, .partial,
      .partialDeleted, .answering, .mirrored, .relocated, .expecting:
      false
    }
  }
}
