import Models
import Persistence
import PersistenceSQLite
import TestSupport
import StoreContracts
import Testing

@Suite("Removing large records")
struct SQLiteRemovalTests {
  @Test("What stays is found by request and by content as before", arguments: [false, true])
  func large(isDiscarded: Bool) async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStoreOpening().open(folder: folder.path)
    let (small, kept) = try store.addRecord("small", resources: 10)
    let (large, gone) = try store.addRecord("large", resources: 10_001)
    for (index, id) in (kept + gone).enumerated() where index < 200 {
      let file = makeFile(UInt8(index), answer: makeAnswer(UInt64(index)))
      try store.apply([.stored(id, file), .fetched(id)])
    }
    // Rows that refer to a resource are removed with it, in any state.
    try store.apply(
      [
        .finished(gone[0], pages: makePages(2), reason: nil), .stored(gone[300], makeFile(1)),
        .stored(gone[301], makeFile(2)),
      ])
    if isDiscarded {
      try store.removeSource(try #require(try store.record(large)).source)
    } else {
      try store.removeRecord(large)
    }
    #expect(try store.answers(to: (0..<200).map { makeRequest($0) }).count == 10)
    #expect(try store.holders(of: (0..<200).map { makeDigest($0) }, limit: 1).count == 10)
    try store.apply([.stored(kept[0], makeFile(7)), .fetched(kept[0])])
    #expect(try store.holders(of: [makeDigest(7)], limit: 9)[makeDigest(7)]?.count == 2)
    #expect(try store.record(small)?.counts.fetched == 10)
    #expect(try store.totals().total == 10)
    #expect(try await store.reader.integrityProblems() == [])
    await store.closeWithReader()
  }
}
