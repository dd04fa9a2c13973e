import Models
import Persistence
import PersistenceMemory
import PersistenceSQLite
import StoreContracts
import TestSupport
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
    var generator = SeededGenerator(seed: seed)
    for step in 1...400 {
      let call = RandomStep.random(using: &generator)
      let answer = call.run(on: sqlite)
      let expected = call.run(on: memory)
      try #require(answer == expected, "step \(step): \(call)")
      guard step % 10 == 0 else { continue }
      let seen = try snapshot(of: sqlite)
      let model = try snapshot(of: memory)
      try #require(seen == model, "step \(step)")
      try #require(seen.totals == seen.recount, "step \(step)")
      guard step % 50 == 0 else { continue }
      for reader in [sqlite.reader, memory.reader] {
        let read = try await reader.read { rows throws(StoreError) in try snapshot(of: rows) }
        try #require(read == model, "step \(step)")
      }
    }
    #expect(try await sqlite.reader.integrityProblems() == [])
    await sqlite.closeWithReader()
    let again = try await SQLiteStoreOpening().open(folder: folder.path)
    #expect(try snapshot(of: again) == snapshot(of: memory))
    await again.closeWithReader()
  }
}

private func snapshot(of rows: any LibraryRows) throws(StoreError) -> StoreSnapshot {
  try StoreSnapshot(rows, requests: RandomStep.requests, digests: RandomStep.digests)
}
