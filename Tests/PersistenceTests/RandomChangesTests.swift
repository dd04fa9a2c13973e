import Models
import Persistence
import PersistenceMemory
import PersistenceSQLite
import Testing

@Suite("Random changes")
struct RandomChangesTests {
  @Test(
    "After any calls both stores show the same, and the counters are a recount",
    arguments: 1...12 as ClosedRange<UInt64>)
  func sameAsTheModel(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let sqlite = try await SQLiteStoreOpening().open(folder: folder.path)
    let memory = MemoryStore()
    func snapshot(_ store: any LibraryStore) async throws -> StoreSnapshot {
      try await StoreSnapshot(store, requests: RandomStep.requests, digests: RandomStep.digests)
    }
    var generator = SeededGenerator(seed: seed)
    for step in 1...400 {
      let call = RandomStep.random(using: &generator)
      let answer = await call.run(on: sqlite)
      let expected = await call.run(on: memory)
      try #require(answer == expected, "step \(step): \(call)")
      guard step % 10 == 0 else { continue }
      let seen = try await snapshot(sqlite)
      let model = try await snapshot(memory)
      try #require(seen == model, "step \(step)")
      try #require(seen.totals == seen.recount, "step \(step)")
    }
    #expect(try await sqlite.integrityProblems() == [])
    await sqlite.close()
    let again = try await SQLiteStoreOpening().open(folder: folder.path)
    #expect(try await snapshot(again) == snapshot(memory))
    await again.close()
  }
}
