import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// Rows and files go together: what is removed is written down, then its rows go, then its files.
extension Engine {
  /// All rows, or those of one record; `removeFiles` comes next. When it throws nothing is gone, but
  /// on a full disk files of what was to be removed.
  func removeRows(of record: Record?) async throws {
    do {
      try await removeRowsOnce(of: record)
    } catch {
      guard LibraryError.wrapping(error).code == .diskFull else { throw error }
      try await makeRoom(removing: record)
      try await removeRowsOnce(of: record)
    }
  }

  /// On a disk without a free block: removes what is in the caches if everything is to go, and files
  /// of the record, until there is room for the list of its files and the log of its rows.
  private func makeRoom(removing record: Record?) async throws {
    try await disk.run { [layout] in
      DiskReserve(layout).release()
      guard record == nil else { return }
      for folder in [layout.renditions, layout.incoming] {
        try layout.folder.removeContents(of: folder)
      }
    }
    let records = if let record { [record] } else { try await allRecords() }
    for record in records {
      var missing = Self.roomForRemoval + Self.roomForRow * Int64(record.counts.total)
      var offset = 0
      while missing > 0,
        case let page = try await store.resources(of: record.id, offset: offset, limit: 1_000),
        !page.isEmpty
      {
        offset += page.count
        let paths = page.compactMap { $0.file.map { layout.original($0, in: record) } }
        missing -= try await disk.run { [layout] in try Self.remove(paths, in: layout.folder) }
      }
    }
  }

  /// Bytes for the index of the store's log and whatever else is written once.
  private static let roomForRemoval: Int64 = 1 << 20
  /// Bytes for a line of the list, and for what the log keeps of the pages in which the row is.
  private static let roomForRow: Int64 = 1_024

  /// - Returns: how many bytes of the disk that gave back.
  private static func remove(_ paths: [String], in folder: ConfinedFolder) throws -> Int64 {
    try paths.reduce(0) { sum, path in
      guard let status = try? folder.status(path), status.kind == .file else { return sum }
      try folder.removeIfThere(path)
      return sum + (status.linkCount == 1 ? status.allocated : 0)
    }
  }

  private func removeRowsOnce(of record: Record?) async throws {
    let list = RemovalList(layout, of: record?.id)
    do {
      try await write(list, of: record)
    } catch {
      await drop(list)
      throw error
    }
    // Where this throws the rows may be gone all the same: the next start looks.
    if let record {
      try await store.removeRecord(record.id)
    } else {
      try await store.removeAll()
    }
  }

  /// Should that fail, too, the next start finds the rows and drops it.
  private func drop(_ list: RemovalList) async {
    do { try await disk.run { try list.drop() } } catch {}
  }

  /// The files of rows that are gone. What is left when it throws goes at the next start.
  func removeFiles(of record: RecordID?) async throws {
    let list = RemovalList(layout, of: record)
    let mustLast = settings.durability == .full
    try await disk.run { [layout] in
      defer { try? DiskReserve(layout).keep() }
      // No power cut brings the rows back once a file has gone.
      if mustLast { try layout.folder.root().syncFileSystem() }
      if record == nil {
        try Self.workOffEverything(list, layout)
      } else {
        try list.workOff()
      }
    }
  }

  /// Everything that is ours but the settings.
  private static func workOffEverything(_ list: RemovalList, _ layout: LibraryLayout) throws {
    try layout.folder.removeTree(layout.loose)
    for folder in [layout.incoming, layout.renditions] {
      // Sources are spooled into the first while everything else rests.
      try layout.folder.removeContents(of: folder)
      try layout.folder.makeFolders(folder, mode: LibraryLayout.privateFolder)
    }
    try list.workOff()
  }

  /// What an earlier process was removing: nothing of it has gone if its rows are there, all of it
  /// goes if they are not.
  func finishRemovals() async throws {
    for list in try await disk.run({ [layout] in try RemovalList.left(in: layout) }) {
      let isUndone: Bool
      if let id = list.record {
        isUndone = try await store.record(id) != nil
      } else {
        let loose = try await store.looseRecord()
        isUndone = try await store.recordCount() > 0 || loose != nil
      }
      try await disk.run { [layout] in
        if isUndone {
          try list.drop()
        } else if list.record == nil {
          try Self.workOffEverything(list, layout)
        } else {
          try list.workOff()
        }
      }
    }
  }

  private func write(_ list: RemovalList, of record: Record?) async throws {
    try await disk.run { try list.begin() }
    let records = if let record { [record] } else { try await allRecords() }
    for record in records {
      var offset = 0
      while case let page = try await store.resources(
        of: record.id, offset: offset, limit: 1_000), !page.isEmpty
      {
        offset += page.count
        let names = page.compactMap { $0.file.map { "\(record.folder)/\($0.name)" } }
        try await disk.run { try list.add(names) }
      }
    }
    if settings.durability == .full { try await disk.run { try list.sync() } }
  }
}
