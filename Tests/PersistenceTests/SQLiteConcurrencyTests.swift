import Models
import Persistence
import PersistenceSQLite
import Synchronization
import Testing

private final class Flag: Sendable {
  let isSet = Atomic(false)
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
}
