import Foundation
import Glibc
import Models
import Persistence
import PersistenceSQLite
import StoreContracts
import SystemCalls
import TestSupport
import Testing

@Suite("What a failed sync leaves is not relied on")
struct SQLiteSyncTests {
  /// The folder of a library as a process leaves it that is killed: the database and its log.
  private func killed(resources: Int) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    _ = try store.addRecord(resources: resources)
    let left = try TemporaryFolder()
    for suffix in ["", "-wal"] { try copy(folder, left, "library.sqlite" + suffix) }
    await store.closeWithReader()
    return left
  }

  /// By another process: closing a descriptor here would drop the locks that SQLite holds.
  private func copy(_ from: TemporaryFolder, _ to: TemporaryFolder, _ name: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/cp")
    process.arguments = [from.path + "/" + name, to.path]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  private func size(_ path: String) throws -> Int {
    try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
  }

  @Test("The log of a killed process is in the database before anything is added to it")
  func oldLog() async throws {
    let folder = try await killed(resources: 300)
    let file = folder.path + "/library.sqlite"
    let length = try size(file + "-wal")
    #expect(length > 10_000)
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    // The database has it without any log.
    let alone = try TemporaryFolder()
    try copy(folder, alone, "library.sqlite")
    let other = try Connection(
      alone.path + "/library.sqlite", .existing, busyTimeout: 0)
    #expect(try other.integer("SELECT count(*) FROM resource") == 300)
    other.close()
    _ = try store.addRecord("another", resources: 1)
    // The log has begun anew, in place of what was there.
    #expect(try size(file + "-wal") == length)
    await store.closeWithReader()
  }

  @Test("A reader in the log of a killed process keeps the library from opening for a moment only")
  func readerInOldLog() async throws {
    let folder = try await killed(resources: 5)
    let other = try Connection(folder.path + "/library.sqlite", .existing, busyTimeout: 0)
    try other.execute("BEGIN; SELECT count(*) FROM resource")
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    #expect(try store.recordCount() == 1)
    _ = try store.addRecord("another", resources: 1)
    try other.execute("ROLLBACK")
    other.close()
    #expect(try store.recordCount() == 2)
    await store.closeWithReader()
  }

  @Test("After a failed sync nothing is synced or written again, and everything can be read")
  func failedSync() async throws {
    let folder = try TemporaryFolder()
    let reader = SQLiteReader(of: LibraryFile(folder: folder.path, busyTimeout: 600_000))
    let store = try await reader.openStore()
    let calls = Watched(0)
    try store.enableSync { file throws(SystemError) in
      calls.update { $0 += 1 }
      throw SystemError(errno: EIO, call: "sync", path: file.path ?? "")
    }
    let (record, ids) = try store.addRecord(resources: 2)
    var failures: [StoreError] = []
    for _ in 1...2 {
      do throws(StoreError) { try await store.sync() } catch { failures.append(error) }
    }
    #expect(failures.map(\.code) == [.io, .io])
    #expect(failures[0].detail.contains("library.sqlite-wal: Input/output error"))
    #expect(calls.value == 1)
    let error = #expect(throws: StoreError.self) { try store.apply([.attempted(ids[0])]) }
    #expect(error == failures[0])
    #expect(try store.record(record)?.counts.queued == 2)
    #expect(try store.resource(ids[0])?.attempts == 0)
    await store.closeWithReader()
    // Another process opens the library.
    let next = try await SQLiteStoreOpening().open(folder: folder.path)
    try next.apply([.attempted(ids[0])])
    try await next.sync()
    #expect(try next.resource(ids[0])?.attempts == 1)
    await next.closeWithReader()
  }

  @Test("An error that is not of the disk undoes a transaction and no more")
  func otherErrors() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    let (_, ids) = try store.addRecord(resources: 1)
    _ = try errorCode {
      try store.transaction { () throws(StoreError) in
        throw StoreError(.notFound, "no such record")
      }
    }
    try store.apply([.attempted(ids[0])])
    #expect(try store.resource(ids[0])?.attempts == 1)
    await store.closeWithReader()
  }
}
