import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// Removal in two steps. In one turn a record vanishes for everybody; then its files go, and behind them
/// its rows, which are the list of the files. A program that ends in between leaves the rows, and the next
/// start continues.
extension Engine {
  /// Files that are removed before their rows: one sync serves all of them.
  private static let filesInSlice = 8_192

  /// Removes what an earlier process was removing. The engine is not idle before.
  func finishRemovals() {
    verbs.beginPart()
    Task {
      await cleanLeftovers()
      verbs.endPart()
      noteIfIdle()
    }
  }

  /// Removes the files and rows of records that were marked as removed, but for those that a verb of this
  /// engine is about to clean.
  func cleanLeftovers() async {
    let records = (try? store.removedRecords()) ?? []
    for record in records where self.records.markRemoved(record.id) {
      do {
        try await clean(record)
      } catch {
        // The rows stay, and the next start tries again.
        if !isStopping { announcer.emit(.problem(LibraryError.wrapping(error).detail)) }
      }
    }
  }

  /// Removes the files and the rows of a record that was marked as removed, and its folder if nothing
  /// else is in it.
  func clean(_ record: Record) async throws {
    try await discardPartials(of: record)
    try await removeFolders(removeFiles(of: record))
    // Last: until then the name of the folder is taken.
    try await removeRows(of: record)
  }

  func removeRows(of record: Record) async throws {
    try await inParts { store, limit throws(StoreError) in
      try !store.removeRows(of: record.id, limit: limit)
    }
  }

  /// Removes the record of what no other record owns, if it was marked as removed: another one takes its
  /// folder at the next request for a resource without a record.
  func removeLooseRecord() async throws {
    for record in try store.removedRecords() where record.isStandalone {
      try await disk.run { [layout] in try layout.folder.removeTree(layout.loose) }
      try await removeRows(of: record)
    }
  }

  /// - Returns: the folders in which they were, below the library's.
  private func removeFiles(of record: Record) async throws -> Set<String> {
    var folders: Set<String> = []
    var last: ResourceID?
    while case let slice = try await removedSlice(of: record, after: last), !slice.isEmpty {
      last = slice.last?.id
      folders.formUnion(try await removeFiles(of: slice, in: record))
    }
    return folders
  }

  private func removedSlice(
    of record: Record, after last: ResourceID?
  ) async throws -> [Resource] {
    var slice: [Resource] = []
    try await inParts { store, limit throws(StoreError) in
      let part = try store.resources(
        ofRemoved: record.id, after: slice.last?.id ?? last, limit: limit)
      slice += part
      return !part.isEmpty && slice.count < Self.filesInSlice
    }
    return slice
  }

  /// - Returns: the folders in which they were, below the library's.
  private func removeFiles(
    of slice: [Resource], in record: Record
  ) async throws -> Set<String> {
    try await disk.run { [layout, sync] in
      let files = slice.lazy.compactMap(\.file)
      var folders: Set<String> = []
      for path in files.map({ layout.original($0, in: record) }) {
        try layout.folder.removeIfThere(path)
        var parent = FileSystem.parentFolder(of: path)
        while parent.utf8.count > layout.root.utf8.count, folders.insert(parent).inserted {
          parent = FileSystem.parentFolder(of: parent)
        }
      }
      // No power cut brings a file back once its row is gone.
      if !folders.isEmpty { try sync() }
      return folders
    }
  }

  /// Subfolders first; one that holds something of the user's stays.
  private func removeFolders(_ folders: Set<String>) async throws {
    try await disk.run { [layout] in
      for path in folders.sorted(by: { $0.utf8.count > $1.utf8.count }) {
        try? layout.folder.removeFolder(path)
      }
    }
  }

  /// Removes the files and rows of all records, which were marked as removed, and the caches.
  func cleanEverything() async throws {
    try await removeLooseRecord()
    try await disk.run { [layout] in
      for folder in [layout.incoming, layout.renditions] {
        // Sources are spooled into the first while everything else rests.
        try layout.folder.removeContents(of: folder)
        try layout.folder.makeFolders(folder, mode: LibraryLayout.privateFolder)
      }
    }
    for record in try store.removedRecords() {
      try await removeFolders(removeFiles(of: record))
    }
    // Nothing else is at work: all rows at once are the fastest way.
    try store.removeAll()
  }
}
