import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// Removal in two steps: one turn hides the record; then its files are deleted, and last its rows, from
/// which the names of the files are known. If the process ends in between, the rows remain and the next
/// start continues.
final class RemovalStage: Stage {
  private var resetLock = FIFOLock()
  /// The number of resets so far, by which an operation of several turns knows that there was one meanwhile.
  private(set) var resetCount = 0

  /// Whether no reset is under way.
  var isAtRest: Bool { resetLock.isFree }

  /// Ends the work on the record and deletes it with its files, unless they are to be kept. Foreign files in its
  /// folder stay.
  /// - Returns: The files that could not be deleted. The record is gone nevertheless.
  func remove(_ id: RecordID, keepingFiles keepsFiles: Bool) async throws -> Leftovers {
    try await stages.verbs.inTurn(of: id) { try await removeOne(id, keepsFiles) }
  }

  private func removeOne(_ id: RecordID, _ keepsFiles: Bool) async throws -> Leftovers {
    let record = try catalog.existing(id)
    try catalog.register(record)
    try await markRow(id, keepsFiles)
    records.markRemoved(id)
    partialFiles.endRetention(id)
    transfers.send(.recordDropped(id))
    pages.dropWork(of: id)
    let dropped = commits.dropWork(id)
    for resource in dropped { pages.abandoned(resource) }
    transfers.send(.commitEnded(dropped))
    await transfers.endCancelled()
    await pages.endWork(of: id)
    forget(id)
    pages.pump()
    try await disk.run { [layout] in DiskReserve(layout).releaseIfFull() }
    // The mark is synced before the first file is deleted: a record without a mark must have all of its
    // files.
    try await commits.syncRows()
    announcer.emit(.recordRemoved(id))
    let left = try await deleteFilesAndRows(of: record)
    try? await disk.run { [layout] in try DiskReserve(layout).restore() }
    return left
  }

  /// Marks the record as removed, without a suspension if the disk has room, so that no verb called later
  /// finds the record.
  private func markRow(_ id: RecordID, _ keepsFiles: Bool) async throws {
    do {
      try store.markRemoved(id, keepingFiles: keepsFiles)
    } catch let error where error.code == .diskFull {
      try await disk.run { [layout] in _ = DiskReserve(layout).deleteFile() }
      try store.markRemoved(id, keepingFiles: keepsFiles)
    }
  }

  func forget(_ record: RecordID) {
    records.remove(record)
    stages.verbs.endHold(record)
    stages.viewports.forget(record)
    stages.requested.remove(record)
    announcer.removeProgress(record)
  }

  /// Throws `LibraryError.wasReset` if there was a reset since `resetCount` had this value.
  func checkReset(since count: Int) throws(LibraryError) {
    if count != resetCount { throw .wasReset }
  }

  /// Waits for the end of a reset that is under way.
  func waitForReset() async {
    guard !resetLock.isFree else { return }
    await withCheckedContinuation { resetLock.acquire($0) }
    resetLock.release()
    lifecycle.notifyIfIdle()
  }

  /// Ends all work and deletes everything that belongs to the library (DL5). Settings and foreign files
  /// stay.
  /// - Returns: The files that could not be deleted.
  func reset() async throws -> Leftovers {
    // Resets run one at a time: the work that an earlier reset resumes must end before its files are
    // deleted.
    await withCheckedContinuation { resetLock.acquire($0) }
    defer {
      resetLock.release()
      lifecycle.notifyIfIdle()
    }
    try? await disk.run { [layout] in DiskReserve(layout).releaseIfFull() }
    await lifecycle.quiesce()
    do {
      try await untilUnlocked()
      try store.transaction { () throws(StoreError) in
        try store.markAllRemoved()
        try store.setLibraryState(LibraryState())
      }
      resetCount += 1
      stages.verbs.resetState()
      try await commits.syncRows()
    } catch {
      lifecycle.resumeWork()
      throw error
    }
    var failure: (any Error)?
    var left = Leftovers()
    do { left = try await deleteAllFilesAndRows() } catch { failure = error }
    try? await disk.run { [layout] in try DiskReserve(layout).restore() }
    for id in announcer.tracked { forget(id) }
    records.forgetAll()
    context.options.removeAll()
    partialFiles.removeAll()
    context.cookies.removeAll()
    standalone.forgetRecord()
    stages.cache.memory.removeAll()
    _ = context.written.drain()
    announcer.emit(.wasReset)
    lifecycle.resumeWork()
    if let failure { throw failure }
    return left
  }

  // MARK: - Files and rows

  /// The number of files that are deleted before their rows; one sync covers all of them.
  private static let filesPerPart = 8_192

  /// Completes the removals that an earlier process began. The engine is not idle until then.
  func finishRemovals() {
    lifecycle.spawnPart { await $0.removals.removeLeftovers() }
  }

  /// Deletes the files and rows of records that were marked as removed, except for those that a verb of
  /// this engine is about to delete.
  func removeLeftovers() async {
    let records = (try? store.removedRecords()) ?? []
    // An earlier process marked these records and may have ended before it synced the marks. Files are
    // deleted only after their record's mark is durable.
    guard !records.isEmpty, (try? await commits.syncOutstandingRows()) != nil else { return }
    for record in records where self.records.markRemoved(record.id) {
      do {
        let left = try await deleteFilesAndRows(of: record)
        for description in left.descriptions { announcer.emit(.problem(description)) }
      } catch {
        // The rows stay, and the next start tries again.
        if !lifecycle.isStopping { announcer.emit(.problem(LibraryError.wrapping(error).detail)) }
      }
    }
  }

  /// Deletes the files and rows of a record that was marked as removed, and its folder if it contains
  /// nothing else. The rows do not stay because of files that cannot be deleted, since each start would try again.
  func deleteFilesAndRows(of record: Record) async throws -> Leftovers {
    try await stages.partials.discard(of: record)
    let left = try await deleteFiles(of: record)
    // The rows are removed last, because they reserve the name of the folder.
    try await removeRows(of: record)
    return left
  }

  func removeRows(of record: Record) async throws {
    try await inParts { store, limit throws(StoreError) in
      try !store.removeRows(of: record.id, limit: limit)
    }
  }

  /// Deletes the record of standalone resources if it was marked as removed; the next request for such a
  /// resource creates another one with the same folder.
  func removeStandaloneRecord() async throws {
    for record in try store.removedRecords() where record.isStandalone {
      try await disk.run { [layout] in try layout.folder.removeTree(layout.standalone) }
      try await removeRows(of: record)
    }
  }

  /// Deletes the files of a record that was marked as removed, unless they are to be kept, and the folders that are
  /// empty without them.
  private func deleteFiles(of record: Record) async throws -> Leftovers {
    if try store.keepsFiles(ofRemoved: record.id) { return Leftovers() }
    var removal = FileRemoval(of: record, layout)
    var last: ResourceID?
    while case let slice = try await removedSlice(of: record, after: last), !slice.isEmpty {
      last = slice.last?.id
      removal = try await removeFiles(of: slice, removal)
    }
    try await disk.run { [removal] in removal.removeFolders() }
    return removal.left
  }

  private func removedSlice(
    of record: Record, after last: ResourceID?
  ) async throws -> [Resource] {
    var slice: [Resource] = []
    try await inParts { store, limit throws(StoreError) in
      let part = try store.resources(
        ofRemoved: record.id, after: slice.last?.id ?? last, limit: limit)
      slice += part
      return !part.isEmpty && slice.count < Self.filesPerPart
    }
    return slice
  }

  /// Deletes the files of some resources of a record, and syncs the deletion.
  private func removeFiles(
    of slice: [Resource], _ removal: FileRemoval
  ) async throws -> FileRemoval {
    try await disk.run { [sync] in
      var removal = removal
      let files = slice.compactMap(\.file)
      for file in files { try removal.remove(file) }
      // A power cut must not restore a file whose row is deleted.
      if !files.isEmpty { try sync() }
      return removal
    }
  }

  /// Deletes the files and rows of all records, which are marked as removed, and the caches.
  func deleteAllFilesAndRows() async throws -> Leftovers {
    try await removeStandaloneRecord()
    try await disk.run { [layout] in
      for folder in [layout.incoming, layout.renditions] {
        // Only the contents are removed, because new sources may be spooled into `incoming` at the same
        // time.
        try layout.folder.removeContents(of: folder)
        try layout.folder.makeFolders(folder, mode: LibraryLayout.privateFolder)
      }
    }
    var left = Leftovers()
    for record in try store.removedRecords() { left += try await deleteFiles(of: record) }
    // No other work is running, so deleting all rows at once is the fastest way.
    try store.removeAll()
    return left
  }
}
