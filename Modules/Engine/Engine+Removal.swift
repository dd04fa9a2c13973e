import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// Removal in two steps. In one turn a record vanishes for everybody; then its files go, and behind them
/// its rows, which are the list of the files. A program that ends in between leaves the rows of what is
/// left, and the next start goes on.
extension Engine {
  /// Files that are removed before their rows: one sync serves all of them.
  private static let filesInSlice = 8_192

  /// Removes files and rows of records that an earlier process was removing.
  func finishRemovals() {
    do {
      let records = try store.removedRecords()
      guard !records.isEmpty else { return }
      removed.formUnion(records.map(\.id))
      continuations += 1
      Task {
        do {
          for record in records { try await clean(record) }
        } catch {
          // The rows stay, and the next start tries again.
          if !isStopping { events.emit(.problem(LibraryError.wrapping(error).detail)) }
        }
        continuations -= 1
        noteIfIdle()
      }
    } catch {
      fail(LibraryError.wrapping(error))
    }
  }

  /// Removes the files and the rows of a record that was marked as removed, and its folder if nothing
  /// else is in it.
  func clean(_ record: Record) async throws {
    var folders: Set<String> = []
    var last: ResourceID?
    while case let slice = try await removedSlice(of: record, after: last), !slice.isEmpty {
      last = slice.last?.id
      let paths = slice.compactMap { $0.file.map { layout.original($0, in: record) } }
      folders.formUnion(try await removeFiles(paths))
    }
    while !isAtRest,
      case let part = try store.resources(
        ofRemoved: record.id, after: nil, limit: Self.rowsInTurn), !part.isEmpty
    {
      try store.apply(part.map { .removed($0.id) }, durable: false)
      await endTurn()
    }
    // All that is left at once is the fastest way, and nobody is kept waiting by it.
    try store.removeRecord(record.id)
    let left = folders
    try await disk.run { [layout] in
      // Subfolders first; one that holds something of the user's stays.
      for path in left.sorted(by: { $0.utf8.count > $1.utf8.count }) {
        try? layout.folder.removeFolder(path)
      }
    }
  }

  /// Whether nothing is downloaded, committed or drawn.
  private var isAtRest: Bool { downloads.isEmpty && commits.count == 0 && pageStage.isIdle }

  private func removedSlice(
    of record: Record, after last: ResourceID?
  ) async throws -> [Resource] {
    var slice: [Resource] = []
    while slice.count < Self.filesInSlice,
      case let part = try store.resources(
        ofRemoved: record.id, after: slice.last?.id ?? last, limit: Self.rowsInTurn),
      !part.isEmpty
    {
      slice += part
      await endTurn()
    }
    return slice
  }

  /// - Returns: the folders in which they were, below the library's.
  private func removeFiles(_ paths: [String]) async throws -> Set<String> {
    let mustLast = settings.durability == .full
    return try await disk.run { [layout] in
      var folders: Set<String> = []
      for path in paths {
        try layout.folder.removeIfThere(path)
        var parent = FileSystem.parentFolder(of: path)
        while parent.utf8.count > layout.root.utf8.count, folders.insert(parent).inserted {
          parent = FileSystem.parentFolder(of: parent)
        }
      }
      // No power cut brings a file back once its row is gone.
      if mustLast, !paths.isEmpty { try layout.folder.root().syncFileSystem() }
      return folders
    }
  }

  /// Removes the files and rows of all records, which were marked as removed, and the caches.
  func cleanEverything() async throws {
    try await disk.run { [layout] in
      try layout.folder.removeTree(layout.loose)
      for folder in [layout.incoming, layout.renditions] {
        // Sources are spooled into the first while everything else rests.
        try layout.folder.removeContents(of: folder)
        try layout.folder.makeFolders(folder, mode: LibraryLayout.privateFolder)
      }
    }
    for record in try store.removedRecords() {
      var last: ResourceID?
      var folders: Set<String> = []
      while case let part = try store.resources(
        ofRemoved: record.id, after: last, limit: Self.filesInSlice), !part.isEmpty
      {
        last = part.last?.id
        let paths = part.compactMap { $0.file.map { layout.original($0, in: record) } }
        folders.formUnion(try await removeFiles(paths))
      }
      let left = folders
      try await disk.run { [layout] in
        for path in left.sorted(by: { $0.utf8.count > $1.utf8.count }) {
          try? layout.folder.removeFolder(path)
        }
      }
    }
    try store.removeAll()
  }
}
