import Foundation
import Models
import Persistence
import PersistenceSQLite
import Synchronization
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
    let (record, ids) = try await store.addRecord(resources: 10)
    let other = try Connection(folder.path + "/library.sqlite", .existing, busyTimeout: 0)
    try other.execute("BEGIN IMMEDIATE")
    async let write: Void = store.apply([.attempted(ids[0])], durable: true)
    for _ in 0..<50 {
      #expect(try await store.record(record)?.counts.queued == 10)
      #expect(try await store.resource(ids[0])?.attempts == 0)
      #expect(try await store.resources(in: .queued, after: nil, limit: 5).count == 5)
    }
    try other.execute("ROLLBACK")
    try await write
    #expect(try await store.resource(ids[0])?.attempts == 1)
    await store.close()
  }

  @Test("Readers see all of a long write or nothing of it")
  func readersSeeWholeWrites() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    let (record, _) = try await store.addRecord(resources: 1)
    let written = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await store.appendResources(makeDrafts(50_000), to: record)
        written.isSet.store(true, ordering: .releasing)
      }
      var answers = 0
      while !written.isSet.load(ordering: .acquiring) {
        let total = try await store.totals().total
        #expect(total == 1 || total == 50_001)
        answers += 1
      }
      try await group.waitForAll()
      #expect(answers > 1)
    }
    #expect(try await store.totals().total == 50_001)
    await store.close()
  }

  @Test("Checking the whole library keeps neither readers nor the writer waiting")
  func checksBesideTheRest() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    let (_, ids) = try await store.addRecord(resources: 5_000)
    async let problems = store.integrityProblems()
    for id in ids.prefix(100) {
      try await store.apply([.stored(id, makeFile()), .fetched(id)], durable: false)
    }
    #expect(try await problems == [])
    #expect(try await store.totals().fetched == 100)
    await store.close()
  }

  /// A writer whose log is too large above 256 KiB, over a record of 5,000 resources.
  private func writer(in folder: TemporaryFolder) async throws -> DatabaseThread {
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    _ = try await store.addRecord(resources: 5_000)
    await store.close()
    let file = LibraryFile(folder: folder.path, busyTimeout: 1_000)
    let thread = DatabaseThread(label: "test")
    try await thread.open { () throws(StoreError) in
      let connection = try file.writer()
      connection.largestLog = 256 << 10
      try connection.execute("PRAGMA journal_size_limit = 0; PRAGMA wal_autocheckpoint = 50")
      return connection
    }
    return thread
  }

  /// Dirties every page of the resources: about 250 KiB of log.
  private func write(_ thread: DatabaseThread) async throws {
    try await thread.write { db throws(StoreError) in
      try db.run("UPDATE resource SET attempts = attempts + 1")
    }
  }

  private func logSize(_ folder: TemporaryFolder) throws -> Int {
    let log = folder.path + "/library.sqlite-wal"
    return try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0
  }

  @Test("Readers that follow each other without a gap do not let the log grow")
  func logUnderReaders() async throws {
    let folder = try TemporaryFolder()
    let thread = try await writer(in: folder)
    let begun = [Count(), Count()]
    let isDone = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<2 {
        group.addTask {
          let connection = try Connection(
            folder.path + "/library.sqlite", .existing, busyTimeout: 1_000)
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
        try await write(thread)
        largest = max(largest, try logSize(folder))
      }
      isDone.isSet.store(true, ordering: .releasing)
      try await group.waitForAll()
      // Each write adds 250 KiB; they would be 6 MB together.
      #expect(largest < 3 << 20)
    }
    await thread.close()
  }

  @Test("A reader that stays is waited for once, until the log has doubled")
  func logUnderLongReader() async throws {
    let folder = try TemporaryFolder()
    let thread = try await writer(in: folder)
    try await thread.write { db in db.logPatience = 1 }
    let reader = try Connection(folder.path + "/library.sqlite", .existing, busyTimeout: 0)
    try reader.execute("BEGIN; SELECT count(*) FROM source")
    var tries: Set<Int> = []
    for _ in 0..<12 {
      try await write(thread)
      tries.insert(try await thread.write { db throws(StoreError) in db.patientUpTo })
    }
    #expect(try logSize(folder) > 2 << 20)
    #expect(tries.count < 6)
    try reader.execute("COMMIT")
    let limit = try #require(tries.max())
    while try logSize(folder) <= limit, try logSize(folder) > 256 << 10 { try await write(thread) }
    try await write(thread)
    #expect(try logSize(folder) < 1 << 20)
    await thread.close()
  }
}
