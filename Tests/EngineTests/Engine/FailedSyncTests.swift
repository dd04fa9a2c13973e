import Glibc
import LibraryAPI
import Models
import Persistence
import ProgressTree
import SystemCalls
import TestSupport
import Testing

@testable import Engine

/// The disk reports that it could not write what it was given. The kernel takes such pages for clean: the
/// next sync reports success, and proves nothing about them.
@Suite(.timeLimit(.minutes(60))) struct FailedSyncTests {
  /// A disk whose syncs fail where a test says.
  private final class Disk: Sendable {
    private let count = Watched(0)
    private let fails: @Sendable (Int) -> Bool

    /// - Parameter fails: asked with the number of each sync, from 1.
    init(fails: @escaping @Sendable (Int) -> Bool) { self.fails = fails }

    var syncs: Int { count.value }

    func sync(_ folder: ConfinedFolder) throws(SystemError) {
      let number = count.update { count in
        count += 1
        return count
      }
      guard fails(number) else { return }
      throw SystemError(errno: EIO, call: "sync the file system of", path: folder.path)
    }
  }

  private let lab: Lab

  init() throws {
    lab = try Lab()
    lab.settings.durability = .full
    lab.settings.rendering.thumbnails = false
  }

  /// Downloads pictures until the engine ends.
  /// - Returns: why it could not go on, and what it told.
  private func runToFailure(
    _ count: Int, judge: @escaping @Sendable (String, [ResourceChange]) -> RecordingStore.Verdict
  ) async throws -> (LibraryError?, [LibraryEvent.Kind]) {
    lab.serveImages(1...count)
    let engine = try await lab.open { name, changes, _ in judge(name, changes) }
    let recorder = await EventRecorder(engine)
    try await engine.start()
    _ = try await engine.add(Lab.request())
    let error = await #expect(throws: LibraryError.self) { try await engine.waitUntilIdle() }
    #expect(engine.snapshot().finished == 0)
    await engine.stop()
    return (error, recorder.kinds)
  }

  /// The next process finishes the job on a disk that works.
  private func goOn(_ count: Int) async throws {
    lab.newProcess()
    lab.sync = { _ in }
    let engine = try await lab.started()
    try await engine.waitUntilIdle()
    await engine.stop()
    let totals = try await lab.disk.totals()
    #expect(totals.finished == count && totals.total == count)
    try await lab.checkLibrary()
  }

  private func isOfEnd(_ kind: LibraryEvent.Kind) -> Bool {
    switch kind {
    case .finished, .failed: true
    default: false
    }
  }

  /// Inodes of the files in place whose rows wait for a sync, by the files' paths.
  private func waiting() async throws -> [String: UInt64] {
    var inodes: [String: UInt64] = [:]
    for record in try await lab.records() {
      for resource in try await lab.resources(record) where resource.state == .stored {
        let path = lab.layout.original(try #require(resource.file), in: record)
        if FileSystem.exists(path) { inodes[path] = try FileSystem.status(path).inode }
      }
    }
    return inodes
  }

  @Test(
    "A failed sync of files ends the engine, nothing of the batch is told, and it is written anew",
    arguments: [true, false])
  func files(isForGood: Bool) async throws {
    let disk = Disk { isForGood || $0 == 1 }
    lab.sync = { folder throws(SystemError) in try disk.sync(folder) }
    let (error, told) = try await runToFailure(4) { _, _ in .pass }
    #expect(error?.code == .io)
    #expect(
      error?.detail == "cannot sync the file system of \(lab.folder.path): Input/output error",
      "\(error?.detail ?? "")")
    #expect(!told.contains(where: isOfEnd))
    // A second one would have reported success, also about the files of the next batch.
    #expect(disk.syncs == 1)
    let totals = try await lab.disk.totals()
    #expect(totals.finished == 0 && totals.fetched == 0 && totals.failed == 0)
    let before = try await waiting()
    #expect(!before.isEmpty)
    let queued = totals.queued
    try await goOn(4)
    #expect(lab.web.requests.count == queued)
    for (path, inode) in before {
      #expect(try FileSystem.status(path).inode != inode, "\(path) was not written again")
    }
  }

  @Test("A recovery whose sync fails leaves everything to the next one")
  func recovery() async throws {
    lab.sync = { folder throws(SystemError) in try Disk { _ in true }.sync(folder) }
    _ = try await runToFailure(4) { _, _ in .pass }
    let stored = try await lab.disk.totals().stored
    #expect(stored > 0)
    for _ in 1...2 {
      lab.newProcess()
      let lab = lab
      let error = await #expect(throws: LibraryError.self) { _ = try await lab.open() }
      #expect(error?.code == .io)
      #expect(try await lab.disk.totals().stored == stored)
    }
    try await goOn(4)
  }

  @Test(
    "A failed write or sync of the rows ends the engine, nothing of the batch is told, nothing is lost",
    arguments: [false, true])
  func rows(isSync: Bool) async throws {
    let path = lab.layout.internals + "/library.sqlite"
    let isWritten = Watched(false)
    let (error, told) = try await runToFailure(4) { name, changes in
      let isEnd = changes.contains { if case .finished = $0 { true } else { false } }
      if isEnd { isWritten.update { $0 = true } }
      return (isSync ? name == "sync" && isWritten.value : isEnd)
        ? .fail(StoreError(.io, "\(path): disk I/O error: Input/output error")) : .pass
    }
    #expect(error?.code == .io)
    #expect(error?.detail == "\(path): disk I/O error: Input/output error")
    #expect(!told.contains(where: isOfEnd))
    let queued = try await lab.disk.totals().queued
    try await goOn(4)
    #expect(lab.web.requests.count == queued)
  }

  @Test("A removal whose sync fails says so, and the next engine removes the rest")
  func removal() async throws {
    lab.serveImages(1...3)
    try await lab.run()
    let record = try #require(try await lab.records().first)
    lab.sync = { folder throws(SystemError) in try Disk { _ in true }.sync(folder) }
    lab.newProcess()
    let engine = try await lab.started()
    let error = await #expect(throws: LibraryError.self) { try await engine.remove(record.id) }
    #expect(error?.code == .io)
    await engine.stop()
    // Their rows are the list of what is still to be removed for good.
    #expect(try await lab.disk.removedRecords().map(\.id) == [record.id])
    try await goOn(0)
    #expect(try await lab.disk.removedRecords().isEmpty)
    #expect(!FileSystem.exists(lab.layout.folder(of: record)))
  }

  @Test("Rows that tell whose a file is are on the disk before it gets its name, or loses it")
  func rowsBeforeNames() async throws {
    lab.serveImages(1...2)
    try await lab.run()
    #expect(lab.store.synced.contains("completeSource"))
    let record = try #require(try await lab.records().first)
    lab.newProcess()
    lab.serveImages(1...3)
    var engine = try await lab.started()
    #expect(try await engine.refresh(record.id).newEntries == 1)
    #expect(lab.store.synced.contains("insertResources"))
    try await engine.waitUntilIdle()
    try await engine.remove(record.id)
    #expect(lab.store.synced.contains("markRemoved"))
    await engine.stop()
    lab.newProcess()
    engine = try await lab.started()
    try await engine.reset()
    #expect(lab.store.synced.contains("markAllRemoved"))
    await engine.stop()
    try await lab.checkLibrary()
  }
}
