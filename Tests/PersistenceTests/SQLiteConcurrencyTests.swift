import Foundation
import Models
import Persistence
import PersistenceSQLite
import Synchronization
import StoreContracts
import TestSupport
import Testing

private final class Flag: Sendable {
  let isSet = Atomic(false)
}

private final class Count: Sendable {
  let value = Atomic(0)
}

@Suite("Readers and the writer")
struct SQLiteConcurrencyTests {
  @Test("Readers answer while a write waits for the disk or a lock")
  func readersDoNotWait() async throws {
    let folder = try TemporaryFolder()
    let opening = SQLiteStoreOpening(busyTimeout: 600_000)
    let store = try await opening.open(folder: folder.path)
    let reader = store.reader
    let (record, ids) = try store.addRecord(resources: 10)
    let owner = StoreOwner(store)
    let other = try Connection(folder.path + "/library.sqlite", .existing, busyTimeout: 0)
    try other.execute("BEGIN IMMEDIATE")
    async let write: Void = owner.run { store throws(StoreError) in
      try store.apply([.attempted(ids[0])])
    }
    for _ in 0..<50 {
      #expect(try await reader.record(record)?.counts.queued == 10)
      #expect(try await reader.resource(ids[0])?.attempts == 0)
      let queued = try await reader.resources(in: .queued, of: nil, after: nil, limit: 5)
      #expect(queued.count == 5)
    }
    try other.execute("ROLLBACK")
    try await write
    #expect(try await reader.resource(ids[0])?.attempts == 1)
    await owner.close()
  }

  @Test("Whether another process keeps transactions from beginning is told without waiting")
  func tellsOfLocks() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStoreOpening(busyTimeout: 600_000).open(folder: folder.path)
    let (_, ids) = try store.addRecord(resources: 1)
    try store.checkUnlocked()
    let other = try Connection(folder.path + "/library.sqlite", .existing, busyTimeout: 0)
    try other.execute("BEGIN IMMEDIATE")
    #expect(try errorCode { try store.checkUnlocked() } == .busy)
    try other.execute("ROLLBACK")
    try store.checkUnlocked()
    // A connection that only reads keeps no transaction from beginning.
    try other.execute("BEGIN; SELECT count(*) FROM source")
    try store.checkUnlocked()
    try store.transaction { () throws(StoreError) in
      try store.checkUnlocked()
      try store.apply([.attempted(ids[0])])
    }
    #expect(try store.resource(ids[0])?.attempts == 1)
    await store.closeWithReader()
  }

  @Test("Another connection sees nothing of a transaction that has not ended, and all of it then")
  func othersSeeWholeTransactions() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    let (record, _) = try store.addRecord(resources: 1)
    let other = try Connection(folder.path + "/library.sqlite", .existing, busyTimeout: 0)
    try store.transaction { () throws(StoreError) in
      try store.appendResources(makeDrafts(2), to: record)
      try store.transaction { () throws(StoreError) in
        try store.appendResources(makeDrafts(2), to: record)
      }
      #expect(try store.totals().total == 5)
      #expect(try ReadingQueries(other).totals().total == 1)
    }
    #expect(try ReadingQueries(other).totals().total == 5)
    await store.closeWithReader()
  }

  @Test("All queries of one read see the same state, during any writes")
  func readsAreSnapshots() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    let (record, _) = try store.addRecord(resources: 1)
    let reader = store.reader
    let owner = StoreOwner(store)
    let hasBegun = DispatchSemaphore(value: 0)
    let hasWritten = DispatchSemaphore(value: 0)
    async let seen = reader.read { rows throws(StoreError) in
      let before = try rows.totals().total
      hasBegun.signal()
      hasWritten.wait()
      return [before, try rows.totals().total, try rows.recordCount()]
    }
    try await owner.run { store throws(StoreError) in
      hasBegun.wait()
      try store.appendResources(makeDrafts(2), to: record)
      hasWritten.signal()
    }
    #expect(try await seen == [1, 1, 1])
    #expect(try await reader.totals().total == 3)
    await owner.close()
  }

  @Test("A transaction that a full disk has rolled back takes nothing more")
  func rolledBackBySQLite() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteReader(of: LibraryFile(folder: folder.path, busyTimeout: 0))
      .openStore()
    let (record, ids) = try store.addRecord(resources: 1)
    // No more pages than there are now.
    let pages = try store.connection.integer("PRAGMA page_count")
    try store.connection.execute("PRAGMA max_page_count = \(pages)")
    let code = try errorCode {
      try store.transaction { () throws(StoreError) in
        try store.apply([.attempted(ids[0])])
        for _ in 0..<2 {
          do throws(StoreError) {
            try store.appendResources(makeDrafts(5_000), to: record)
            Issue.record("the disk is not full")
          } catch {
            #expect(error.code == .diskFull)
          }
        }
      }
    }
    #expect(code == .diskFull)
    #expect(try store.resource(ids[0])?.attempts == 0)
    try store.connection.execute("PRAGMA max_page_count = 4294967294")
    try store.appendResources(makeDrafts(5_000), to: record)
    #expect(try store.totals().total == 5_001)
    #expect(try await store.reader.integrityProblems() == [])
    await store.closeWithReader()
  }

  @Test("Checking the whole library keeps neither readers nor the writer waiting")
  func checksBesideTheRest() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    let (_, ids) = try store.addRecord(resources: 5_000)
    let reader = store.reader
    async let problems = reader.integrityProblems()
    for id in ids.prefix(100) {
      try store.apply([.stored(id, makeFile()), .fetched(id)])
    }
    #expect(try await reader.totals().fetched == 100)
    #expect(try await problems == [])
    await store.closeWithReader()
  }

  /// A store whose log is too large above 256 KiB, over a record of 5,000 resources.
  private func store(in folder: TemporaryFolder) async throws -> sending SQLiteStore {
    let file = LibraryFile(folder: folder.path, busyTimeout: 600_000)
    let store = try await SQLiteReader(of: file).openStore()
    _ = try store.addRecord(resources: 5_000)
    store.log.maximumBytes = 256 << 10
    try store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_size_limit = 0")
    return store
  }

  /// Dirties every page of the resources: about 250 KiB of log.
  private func write(_ store: SQLiteStore) async throws {
    await store.catchUp()
    try store.transaction { () throws(StoreError) in
      try store.connection.run("UPDATE resource SET attempts = attempts + 1")
    }
  }

  private func logSize(_ folder: TemporaryFolder) throws -> Int {
    let log = folder.path + "/library.sqlite-wal"
    return try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0
  }

  @Test("Readers that follow each other without a gap do not let the log grow")
  func logUnderReaders() async throws {
    let folder = try TemporaryFolder()
    let store = try await store(in: folder)
    let begun = [Count(), Count()]
    let isDone = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<2 {
        group.addTask {
          let connection = try Connection(
            folder.path + "/library.sqlite", .existing, busyTimeout: 600_000)
          while !isDone.isSet.load(ordering: .acquiring) {
            try connection.execute("BEGIN; SELECT count(*) FROM source")
            let other = begun[1 - reader].value.load(ordering: .acquiring)
            begun[reader].value.add(1, ordering: .releasing)
            // The next one is in the log before this one leaves it.
            while begun[1 - reader].value.load(ordering: .acquiring) == other,
              !isDone.isSet.load(ordering: .acquiring)
            { await Task.yield() }
            try connection.execute("COMMIT")
          }
        }
      }
      var largest = 0
      for _ in 0..<24 {
        try await write(store)
        largest = max(largest, try logSize(folder))
      }
      isDone.isSet.store(true, ordering: .releasing)
      try await group.waitForAll()
      // Each write adds 250 KiB; they would be 6 MB together.
      #expect(largest < 3 << 20)
    }
    await store.closeWithReader()
  }

  @Test("A reader that stays is waited for once, until the log has doubled")
  func logUnderLongReader() async throws {
    let folder = try TemporaryFolder()
    let store = try await store(in: folder)
    store.log.readerTimeout = 1
    let reader = try Connection(folder.path + "/library.sqlite", .existing, busyTimeout: 0)
    try reader.execute("BEGIN; SELECT count(*) FROM source")
    var tries: Set<Int> = []
    for _ in 0..<12 {
      try await write(store)
      tries.insert(store.log.noWaitBelowBytes)
    }
    #expect(try logSize(folder) > 2 << 20)
    #expect(tries.count < 6)
    try reader.execute("COMMIT")
    let limit = try #require(tries.max())
    while try logSize(folder) <= limit, try logSize(folder) > 256 << 10 { try await write(store) }
    try await write(store)
    #expect(try logSize(folder) < 1 << 20)
    await store.closeWithReader()
  }
}
